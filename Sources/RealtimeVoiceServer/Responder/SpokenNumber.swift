/// Numbers as they are spoken, zero to a hundred, and as digits.
enum SpokenNumber {
    private static let small = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen",
        "eighteen", "nineteen",
    ]
    private static let tens = [
        "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
    ]

    /// The number in words.
    static func words(_ number: Int) -> String {
        switch number {
        case 0..<20: small[number]
        case 20..<100:
            number.isMultiple(of: 10)
                ? tens[number / 10 - 2] : "\(tens[number / 10 - 2])-\(small[number % 10])"
        case 100: "one hundred"
        default: String(number)
        }
    }

    /// All numbers of a text, in order: digits, and words such as `twenty five`.
    static func all(in words: [String]) -> [Double] {
        var found: [Double] = []
        var openTens = false
        for part in words.flatMap({ $0.lowercased().split(separator: "-").map(String.init) }) {
            let text = part.filter { $0.isLetter || $0.isNumber || $0 == "." }
            let trimmed = text.hasSuffix(".") ? String(text.dropLast()) : text
            if let value = Double(trimmed), trimmed.first?.isNumber == true {
                found.append(value)
                openTens = false
            } else if let value = tens.firstIndex(of: trimmed) {
                found.append(Double(value * 10 + 20))
                openTens = true
            } else if let value = small.firstIndex(of: trimmed) {
                if openTens, (1...9).contains(value), let last = found.popLast() {
                    found.append(last + Double(value))
                } else {
                    found.append(Double(value))
                }
                openTens = false
            } else if trimmed == "hundred" {
                if let last = found.last, last < 10 { found.removeLast() }
                found.append(100)
                openTens = false
            } else {
                openTens = false
            }
        }
        return found
    }
}
