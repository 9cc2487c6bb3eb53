import Foundation
import RealtimeVoice

/// The tools that `talk` offers to the model.
enum DemoTools {
    private struct NoInput: Decodable, Sendable {}

    private struct City: Decodable, Sendable {
        var city: String
    }

    /// All of them.
    static var all: [RealtimeTool] {
        [
            RealtimeTool(
                name: "getTime", description: "Tells the current time of day.",
                parameters: .object([:])
            ) { (_: NoInput) in
                "It is \(clock(Date()))."
            },
            RealtimeTool(
                name: "getWeather", description: "Tells the current weather of a city.",
                parameters: .object(["city": .string("The city's name.")])
            ) { (input: City) in
                "It is sunny and mild in \(input.city) today."
            },
        ]
    }

    /// The time as it is spoken.
    static func clock(_ date: Date) -> String {
        let parts = Calendar(identifier: .gregorian).dateComponents(
            [.hour, .minute], from: date)
        let (hour, minute) = (parts.hour ?? 0, parts.minute ?? 0)
        let half = hour < 12 ? "in the morning" : hour < 18 ? "in the afternoon" : "at night"
        let shown = hour % 12 == 0 ? 12 : hour % 12
        let minutes = minute == 0 ? "o'clock" : minute < 10 ? "oh \(minute)" : "\(minute)"
        return "\(shown) \(minutes) \(half)"
    }
}
