import Foundation
import Testing

/// Whole conversations at random: the engine against a model of its provider, with rules that
/// are checked after each step.
///
/// A failure names its seed. `REALTIME_WALK_SEED` walks that one alone, or `9-40` a range of
/// them; `REALTIME_WALK_STEPS` sets how far, and `REALTIME_WALK_LOG` how much is told.
struct ConversationWalkTests {
    private static let environment = ProcessInfo.processInfo.environment

    static let seeds: [UInt64] = {
        let bounds = (environment["REALTIME_WALK_SEED"] ?? "1-8").split(separator: "-")
            .compactMap { UInt64($0) }
        guard let first = bounds.first, let last = bounds.last, first <= last else { return [] }
        return Array(first...last)
    }()

    static let steps = number("STEPS") ?? 1_600

    private static func number(_ name: String) -> Int? {
        environment["REALTIME_WALK_\(name)"].flatMap { Int($0) }
    }

    @Test(arguments: WalkProvider.all, seeds)
    func noRuleIsBrokenOnARandomWalk(_ provider: WalkProvider, seed: UInt64) {
        guard let fault = walk(provider, seed, isLogging: false) else { return }
        // The same walk again, with notes.
        let told = walk(provider, seed, isLogging: true)
        Issue.record(
            """
            REALTIME_WALK_SEED=\(seed) breaks a rule with \(provider.testDescription) \
            at step \(fault.step): \(fault.text)
            \(told?.log.suffix(Self.number("LOG") ?? 60).joined(separator: "\n") ?? "not again")
            """)
    }

    private func walk(
        _ provider: WalkProvider, _ seed: UInt64, isLogging: Bool
    ) -> (step: Int, text: String, log: [String])? {
        var world = WalkWorld(provider: provider, seed: seed, isLogging: isLogging)
        for step in 1...Self.steps {
            world.step()
            if step.isMultiple(of: 200) { world.settle() }
            if let fault = world.faults.first { return (step, fault, world.log ?? []) }
        }
        return nil
    }
}
