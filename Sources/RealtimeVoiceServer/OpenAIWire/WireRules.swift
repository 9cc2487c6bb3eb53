/// The shapes of the OpenAI GA wire that the server checks. What isn't named is refused.
extension WireRule {
    static let format = variants([
        "audio/pcm": object(["type": .any, "rate": .integer(24_000...24_000)]),
        "audio/pcmu": object(["type": .any]),
        "audio/pcma": object(["type": .any]),
    ])

    static let turnDetection = variants([
        "server_vad": object([
            "type": .any, "threshold": .number(0...1),
            "prefix_padding_ms": .integer(0...5_000), "silence_duration_ms": .integer(0...20_000),
            "create_response": .boolean, "interrupt_response": .boolean,
            "idle_timeout_ms": .nullable(.integer(5_000...30_000)),
        ]),
        "semantic_vad": object([
            "type": .any, "eagerness": .choice(["low", "medium", "high", "auto"]),
            "create_response": .boolean, "interrupt_response": .boolean,
        ]),
    ])

    static let transcription = object([
        "model": .string(), "language": .nullable(.string()), "languages": .array(.string()),
        "keywords": .array(.string()), "prompt": .nullable(.string()),
        "delay": .choice(["minimal", "low", "medium", "high", "xhigh"]),
    ])

    static let tool = variants([
        "function": object(
            [
                "type": .any, "name": .string(maximumLength: 64),
                "description": .nullable(.string()), "parameters": .nullable(.any),
            ], required: ["name"]),
        "mcp": .any,
    ])

    static let toolChoice = either(
        .choice(["none", "auto", "required"]),
        .variants([
            "function": object(["type": .any, "name": .string()], required: ["name"]),
            "mcp": .any,
        ]))

    static let modalities = array(choice(["audio", "text"]))
    static let voice = either(
        .string(maximumLength: 256), .object(["id": .string()], required: ["id"]))
    static let maximumTokens = either(.integer(1...4_096), .choice(["inf"]))
    static let reasoning = object([
        "effort": .choice(["minimal", "low", "medium", "high", "xhigh"])
    ])

    static let realtimeSession = object(
        [
            "type": .any, "model": .string(), "instructions": .string(),
            "output_modalities": modalities, "include": .nullable(.array(.string())),
            "tools": .array(tool), "tool_choice": toolChoice, "parallel_tool_calls": .boolean,
            "reasoning": reasoning, "max_output_tokens": maximumTokens,
            "truncation": either(
                .choice(["auto", "disabled"]),
                .object([
                    "type": .choice(["retention_ratio"]), "retention_ratio": .number(0...1),
                    "token_limits": .any,
                ])),
            "prompt": .nullable(.any), "tracing": .nullable(.any),
            "audio": .object([
                "input": .object([
                    "format": format, "transcription": .nullable(transcription),
                    "noise_reduction": .nullable(
                        .object(["type": .choice(["near_field", "far_field"])])),
                    "turn_detection": .nullable(turnDetection),
                ]),
                "output": .object([
                    "format": format, "voice": voice, "speed": .number(0.25...1.5),
                ]),
            ]),
        ], required: ["type"])

    static let response = object([
        "output_modalities": modalities, "instructions": .string(),
        "audio": .object(["output": .object(["format": format, "voice": voice])]),
        "tools": .array(tool), "tool_choice": toolChoice, "parallel_tool_calls": .boolean,
        "reasoning": reasoning, "max_output_tokens": maximumTokens,
        "conversation": .choice(["auto", "none"]), "metadata": .nullable(.any),
        "prompt": .nullable(.any), "input": .nullable(.array(inputItem)),
    ])

    private static let message = object(
        [
            "type": .any, "id": .string(maximumLength: 32), "object": .any, "status": .any,
            "role": .choice(["system", "user", "assistant"]), "content": .array(content),
            "phase": .any,
        ], required: ["role", "content"])

    private static let content = variants([
        "input_text": object(["type": .any, "text": .string()], required: ["text"]),
        "output_text": object(["type": .any, "text": .string()], required: ["text"]),
        "input_audio": object([
            "type": .any, "audio": .string(), "transcript": .nullable(.string()),
        ]),
        "input_image": object(["type": .any, "image_url": .string(), "detail": .any]),
    ])

    private static let call = object(
        [
            "type": .any, "id": .string(maximumLength: 32), "object": .any, "status": .any,
            "call_id": .string(maximumLength: 32), "name": .string(), "arguments": .string(),
        ], required: ["name", "arguments"])

    private static let callOutput = object(
        [
            "type": .any, "id": .string(maximumLength: 32), "object": .any, "status": .any,
            "call_id": .string(maximumLength: 32), "output": .string(),
        ], required: ["call_id", "output"])

    static let item = variants([
        "message": message, "function_call": call, "function_call_output": callOutput,
    ])

    private static let inputItem = variants([
        "message": message, "function_call": call, "function_call_output": callOutput,
        "item_reference": object(["type": .any, "id": .string()], required: ["id"]),
    ])

    /// The client's events by type.
    static let clientEvents: [String: WireRule] = [
        "session.update": event(["session": .any], required: ["session"]),
        "input_audio_buffer.append": event(
            ["audio": .string(maximumLength: 15 << 20)], required: ["audio"]),
        "input_audio_buffer.commit": event([:]),
        "input_audio_buffer.clear": event([:]),
        "conversation.item.create": event(
            ["item": item, "previous_item_id": .nullable(.string())], required: ["item"]),
        "conversation.item.retrieve": event(["item_id": .string()], required: ["item_id"]),
        "conversation.item.delete": event(["item_id": .string()], required: ["item_id"]),
        "conversation.item.truncate": event(
            [
                "item_id": .string(), "content_index": .integer(0...1_000),
                "audio_end_ms": .integer(0...Int(Int32.max)),
            ], required: ["item_id", "content_index", "audio_end_ms"]),
        "response.create": event(["response": .nullable(response)]),
        "response.cancel": event(["response_id": .nullable(.string())]),
    ]

    private static func event(
        _ members: [String: WireRule],
        required: [String] = []
    ) -> WireRule {
        var all = members
        all["type"] = .any
        all["event_id"] = .nullable(.string(maximumLength: 512))
        return .object(all, required: required)
    }
}
