/// A model turn that is under way: the response that Gemini has no name for.
struct GoogleTurn {
    /// A message item of the turn, from its first content to its end.
    struct Message {
        let itemID: String
        var audioIndex: Int?
        var textIndex: Int?
        var isAudioOpen = false
        var isTranscriptOpen = false
        var isTextOpen = false
        var transcript = ""
        var hasTranscript = false
        var text = ""

        init(itemID: String) {
            self.itemID = itemID
        }

        /// The index of audio and its transcript: 0, or 1 behind text that came first.
        mutating func indexOfAudio() -> Int {
            if let audioIndex { return audioIndex }
            let index = textIndex == nil ? 0 : 1
            audioIndex = index
            return index
        }

        /// The index of text: 0, or 1 behind audio that came first.
        mutating func indexOfText() -> Int {
            if let textIndex { return textIndex }
            let index = audioIndex == nil ? 0 : 1
            textIndex = index
            return index
        }
    }

    let responseID: String
    /// The last item before the turn, behind which a late transcript of the user belongs.
    let precedingItemID: String?
    /// Whether what the user said before the turn is known, so that more of it is a new turn.
    var hasInput: Bool
    /// The message that content goes to; nil until there is any.
    var message: Message?
    /// The items that have ended.
    var output: [RealtimeItem] = []

    init(responseID: String, precedingItemID: String?, hasInput: Bool) {
        self.responseID = responseID
        self.precedingItemID = precedingItemID
        self.hasInput = hasInput
    }
}

/// What the user is saying, or has said.
struct GoogleUserTurn {
    let itemID: String
    var transcript = ""
    /// Whether there was any text, so that the next piece keeps its leading space.
    var hasText = false
    /// Whether a completed event told the transcript; later pieces tell it again, longer.
    var isCompleted = false
    /// Whether later pieces belong to a new turn.
    var isSealed = false
    /// Whether an interim text stands that the next piece has to replace.
    var hasInterim = false

    init(itemID: String) {
        self.itemID = itemID
    }

    var contentID: RealtimeContentID { RealtimeContentID(itemID: itemID) }
}
