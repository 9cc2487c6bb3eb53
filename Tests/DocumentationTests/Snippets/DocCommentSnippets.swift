import Foundation
import RealtimeVoice
import RealtimeVoiceTesting

func makeWeatherTool() -> RealtimeTool {
    // snippet.begin RealtimeTool
    struct City: Decodable { var city: String }
    let weather = RealtimeTool(
        name: "getWeather", description: "Tells the weather of a city.",
        parameters: .object(["city": .string("The city's name")])
    ) { (input: City) in "It is sunny in \(input.city)." }
    // snippet.end
    return weather
}

func makeCitySchema() -> JSONSchema {
    // snippet.begin JSONSchema
    JSONSchema.object([
        "city": .string("The city's name"),
        "unit": .string("Degrees in", oneOf: ["celsius", "fahrenheit"]).optional,
    ])
    // snippet.end
}

@MainActor
func playScript() async throws {
    // snippet.begin ScriptedProvider
    let provider = ScriptedProvider()
    let session = RealtimeSession(model: provider.model, options: provider.options())
    session.connect(secret: provider.secret)
    try await provider.configure()
    provider.send(["type": "response.created", "response": ["id": "r1"]])
    let sent = try await provider.next("response.cancel")
    // snippet.end
    _ = sent
}

func playByHand(request: RealtimeConnectRequest) async throws {
    // snippet.begin InMemoryTransport
    let transport = InMemoryTransport()
    let channel = transport.open(request) { event in print(event) }
    let peer = await transport.nextConnection()
    peer?.accept(subprotocol: "realtime")
    try channel.send(RealtimeFrame("hello"))
    let sent = await peer?.next()  // .message(RealtimeFrame("hello"))
    // snippet.end
    _ = sent
}
