import Testing

@testable import RealtimeVoice

/// How much of a transcript counts as heard, for every kind of wire.
struct HeardTextTests {
    static let text = "one two three four five"

    /// What is known of a part: nothing, a transcript before its audio, in step with it, with
    /// exact times, with its audio complete.
    enum Situation: String, CaseIterable {
        case nothing
        case ahead
        case aheadComplete
        case inStep
        case inStepComplete
        case exact

        func heard() -> HeardText {
            var heard = HeardText()
            guard self != .nothing else { return heard }
            for (index, word) in ["one ", "two ", "three ", "four ", "five"].enumerated() {
                switch self {
                case .nothing: break
                case .ahead, .aheadComplete:
                    heard.appended(word, startMilliseconds: nil, receivedMilliseconds: 0)
                case .inStep, .inStepComplete:
                    heard.appended(
                        word, startMilliseconds: nil, receivedMilliseconds: index * 400)
                case .exact:
                    heard.appended(
                        word, startMilliseconds: index * 400, receivedMilliseconds: 0)
                }
            }
            if self == .aheadComplete || self == .inStepComplete || self == .exact {
                heard.audioCompleted()
            }
            return heard
        }
    }

    private func prefix(_ situation: Situation, _ milliseconds: Int) -> String {
        let count = situation.heard().characters(
            heardMilliseconds: milliseconds, receivedMilliseconds: 2_000)
        return String(Self.text.prefix(count))
    }

    @Test(arguments: Situation.allCases)
    func nothingHeardIsNoText(_ situation: Situation) {
        #expect(prefix(situation, 0) == "")
        #expect(prefix(situation, -7) == "")
    }

    @Test(
        arguments: [
            (.nothing, ""), (.ahead, text), (.aheadComplete, text), (.inStep, text),
            (.inStepComplete, text), (.exact, text),
        ] as [(Situation, String)])
    func allHeardIsAllText(_ situation: Situation, _ expected: String) {
        #expect(prefix(situation, 2_000) == expected)
    }

    @Test(
        arguments: [
            (.nothing, ""), (.ahead, "one two three"), (.aheadComplete, "one two"),
            (.inStep, "one two"), (.inStepComplete, "one two"), (.exact, "one two"),
        ] as [(Situation, String)])
    func aPartEndsWithAWord(_ situation: Situation, _ expected: String) {
        let heard = prefix(situation, 800)
        #expect(heard.trimmingSuffix(while: \.isWhitespace) == expected)
    }

    @Test(arguments: Situation.allCases)
    func moreHeardIsNeverLessText(_ situation: Situation) {
        let heard = situation.heard()
        var last = 0
        for milliseconds in stride(from: 0, through: 2_000, by: 10) {
            let count = heard.characters(
                heardMilliseconds: milliseconds, receivedMilliseconds: 2_000)
            #expect(count >= last, "\(milliseconds) ms")
            #expect(count <= Self.text.count)
            last = count
        }
    }

    @Test func theFinalTextIsWhatCounts() {
        var heard = Situation.aheadComplete.heard()
        heard.completed("one")
        #expect(heard.characters(heardMilliseconds: 2_000, receivedMilliseconds: 2_000) == 3)
        #expect(heard.characters(heardMilliseconds: 1_900, receivedMilliseconds: 2_000) == 3)
        heard.completed(nil)
        #expect(heard.characters(heardMilliseconds: 2_000, receivedMilliseconds: 2_000) == 3)
    }

    @Test func theEndOfTheAudioIsNoted() {
        for situation in Situation.allCases {
            var heard = situation.heard()
            let isComplete = ![.nothing, .ahead, .inStep].contains(situation)
            #expect(heard.isAudioComplete == isComplete)
            heard.audioCompleted()
            #expect(heard.isAudioComplete)
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> String {
        var text = self
        while let last = text.last, predicate(last) { text.removeLast() }
        return text
    }

    /// A player that has played all that came is still within the word whose audio is coming.
    @Test func aLongWordThatHasJustBegunIsNotHeard() {
        var heard = HeardText()
        heard.appended("its", startMilliseconds: nil, receivedMilliseconds: 0)
        heard.appended(" extraordinarily", startMilliseconds: nil, receivedMilliseconds: 300)
        let count = heard.characters(heardMilliseconds: 600, receivedMilliseconds: 600)
        #expect(count == 3)
    }
}
