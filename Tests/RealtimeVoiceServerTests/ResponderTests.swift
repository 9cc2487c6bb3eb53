import Foundation
import RealtimeVoice
import Testing

@testable import RealtimeVoiceServer

struct BuiltInResponderTests {
    private static let weather = RealtimeToolDefinition(
        name: "get_weather", description: "Looks up the weather of a city.",
        parameters: [
            "type": "object",
            "properties": [
                "city": ["type": "string"], "unit": ["enum": ["celsius", "fahrenheit"]],
            ], "required": ["city"],
        ])
    private static let light = RealtimeToolDefinition(
        name: "setLight", description: "Switches a lamp on or off and dims it.",
        parameters: [
            "type": "object",
            "properties": [
                "on": ["type": "boolean"], "level": ["type": "integer"],
                "room": ["type": "string", "enum": ["kitchen", "living_room"]],
            ], "required": ["on", "level", "room"],
        ])
    private static let time = RealtimeToolDefinition(name: "getTime")

    private func answer(
        _ history: [ResponderMessage],
        tools: [RealtimeToolDefinition] = [],
        choice: ResponderToolChoice = .automatic
    ) throws -> [ResponderOutput] {
        let zone = try #require(TimeZone(secondsFromGMT: 0))
        // Monday, 5 January 2026, 15:04 UTC.
        return BuiltInResponder.answer(
            ResponderRequest(
                history: history, tools: tools, toolChoice: choice,
                now: Date(timeIntervalSince1970: 1_767_625_440), timeZone: zone))
    }

    private func said(_ text: String) throws -> String {
        try answer([.user(text)]).map { output in
            if case .sentence(let text) = output { text } else { "(call)" }
        }.joined(separator: " ")
    }

    @Test(arguments: [
        ("Hello!", "Hello! It is good to hear you. How can I help you?"),
        ("Please count to three.", "One, two, three."),
        (
            "count to twelve",
            "One, two, three, four, five. Six, seven, eight, nine, ten. Eleven, twelve."
        ),
        ("Count from 20 to 22", "Twenty, twenty-one, twenty-two."),
        ("What time is it?", "It is three oh four in the afternoon."),
        ("What day is it today?", "Today is Monday, January 5, 2026."),
        ("What is two plus forty one?", "That makes 43."),
        ("My name is ada.", "Nice to meet you, Ada. How can I help you?"),
        ("Thank you.", "You are welcome."),
        ("Say good night.", "Good night."),
        ("", "Sorry, I did not catch that. Could you say it again?"),
        ("The sky is blue.", "You said: The sky is blue. I am listening."),
        (
            "Why is the sky blue?",
            "You asked: Why is the sky blue. I cannot look that up here, but I heard every word "
                + "of your question."
        ),
    ])
    func answers(words: String, expected: String) throws {
        #expect(try said(words) == expected)
    }

    @Test func aStoryIsLongEnoughForAnInterruption() throws {
        #expect(try answer([.user("Tell me a story")]).count >= 5)
    }

    @Test func itRemembersAName() throws {
        let history: [ResponderMessage] = [
            .user("My name is Ada."), .assistant("Nice to meet you."), .user("What's my name?"),
        ]
        #expect(try answer(history) == [.sentence("Your name is Ada.")])
    }

    @Test(arguments: [
        ("What's the weather in San Francisco?", #"{"city":"San Francisco"}"#),
        ("what is the weather like in paris today", #"{"city":"paris"}"#),
        ("How is the weather in Rome in fahrenheit?", #"{"city":"Rome","unit":"fahrenheit"}"#),
        ("weather please", #"{"city":"here"}"#),
    ])
    func theMatchingToolIsCalled(words: String, arguments: String) throws {
        let outputs = try answer([.user(words)], tools: [Self.time, Self.light, Self.weather])
        guard case .toolCall("get_weather", let text)? = outputs.first else {
            Issue.record("no call: \(outputs)")
            return
        }
        #expect(try JSONValue(parsing: text) == JSONValue(parsing: arguments))
    }

    @Test(arguments: [
        (
            "Switch the light in the living room to fifty",
            #"{"level":50,"on":true,"room":"living_room"}"#
        ),
        ("Turn off the kitchen light", #"{"level":0,"on":false,"room":"kitchen"}"#),
    ])
    func requiredArgumentsAreFilled(words: String, arguments: String) throws {
        let outputs = try answer([.user(words)], tools: [Self.weather, Self.light])
        guard case .toolCall("setLight", let text)? = outputs.first else {
            Issue.record("no call: \(outputs)")
            return
        }
        #expect(try JSONValue(parsing: text) == JSONValue(parsing: arguments))
    }

    @Test func theChoiceDecides() throws {
        let words: [ResponderMessage] = [.user("What time is it?")]
        #expect(
            try answer(words, tools: [Self.time]) == [.toolCall(name: "getTime", arguments: "{}")])
        #expect(
            try answer(words, tools: [Self.time], choice: .forbidden)
                == [.sentence("It is three oh four in the afternoon.")])
        #expect(
            try answer([.user("Hello")], tools: [Self.time], choice: .required)
                == [.toolCall(name: "getTime", arguments: "{}")])
        #expect(
            try answer(
                [.user("Hello")], tools: [Self.light, Self.time], choice: .function("getTime"))
                == [.toolCall(name: "getTime", arguments: "{}")])
    }

    @Test(arguments: [
        ("It is foggy.", "It is foggy."),
        ("12 degrees", "12 degrees."),
        (#"{"temperature":18,"sky":"clear"}"#, "The sky is clear and the temperature is 18."),
        (#"{"error":"no such city"}"#, "I am sorry, that did not work: no such city."),
        (#"{"approved":true}"#, "Approved is yes."),
        (#"{"result":"Done!"}"#, "Done!"),
        ("[1,2,3]", "Here is what I found: 1, 2 and 3."),
        ("true", "Yes, that worked."),
        ("null", "That is done."),
        (#""three o'clock""#, "three o'clock."),
    ])
    func resultsAreSpoken(output: String, expected: String) throws {
        let history: [ResponderMessage] = [
            .user("x"), .toolCall(id: "c", name: "f", arguments: "{}"),
            .toolOutput(callID: "c", output: output),
        ]
        #expect(try answer(history, tools: [Self.weather]) == [.sentence(expected)])
    }
}

struct ChatCompletionsTests {
    private let reply = """
        : a comment
        data: {"choices":[{"delta":{"role":"assistant","content":"It is 3.5 "}}]}

        data: {"choices":[{"delta":{"content":"degrees. Dr. No says"}}]}
        data: not json
        data: {"choices":[{"delta":{"content":" hi"}}]}
        data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{\\"a\\""}}]}}]}
        data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]}}]}
        data: [DONE]

        """

    @Test(arguments: [1, 7, 64, 100_000])
    func theReplyIsReadHoweverItIsCut(size: Int) throws {
        var stream = ChatCompletionsStream()
        var outputs: [ResponderOutput] = []
        var rest = Array(reply.utf8)[...]
        while !rest.isEmpty {
            outputs += try stream.received(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        outputs += try stream.finished()
        #expect(
            outputs == [
                .sentence("It is 3.5 degrees."), .sentence("Dr. No says hi"),
                .toolCall(name: "f", arguments: #"{"a":1}"#),
            ])
    }

    @Test func anErrorInTheStreamIsThrown() {
        var stream = ChatCompletionsStream()
        #expect(throws: RealtimeError(.provider, "overloaded", providerCode: "busy")) {
            _ = try stream.received(
                Array(#"data: {"error":{"message":"overloaded","code":"busy"}}"#.utf8) + [10])
        }
    }

    @Test func theRequestCarriesHistoryAndTools() {
        let request = ResponderRequest(
            instructions: "Be brief.",
            history: [
                .user("Hi"), .toolCall(id: "c", name: "f", arguments: "{}"),
                .toolOutput(callID: "c", output: "1"),
            ],
            tools: [RealtimeToolDefinition(name: "f")], toolChoice: .required,
            now: Date(timeIntervalSince1970: 0))
        #expect(
            ChatCompletionsRequest.body(request, model: "m") == [
                "model": "m", "stream": true, "tool_choice": "required",
                "tools": [["type": "function", "function": ["name": "f"]]],
                "messages": [
                    ["role": "system", "content": "Be brief."],
                    ["role": "user", "content": "Hi"],
                    [
                        "role": "assistant", "content": .null,
                        "tool_calls": [
                            [
                                "id": "c", "type": "function",
                                "function": ["name": "f", "arguments": "{}"],
                            ]
                        ],
                    ],
                    ["role": "tool", "tool_call_id": "c", "content": "1"],
                ],
            ])
    }
}
