import Foundation

/// Takes a RIFF/WAVE file apart.
///
/// The layout is Microsoft's "Multimedia Programming Interface and Data Specifications 1.0" and
/// "Multiple Channel Audio Data and WAVE Files"; RF64 is ITU-R BS.2088.
struct WAVParser {
    /// WAVE_FORMAT_PCM.
    static let pcm: UInt16 = 1

    private let bytes: [UInt8]
    private let name: String

    /// What the `fmt ` chunk says.
    private struct Format {
        var code: UInt16
        var channels: Int
        var rate: Int
        var bytesPerFrame: Int
        var bits: Int
    }

    /// Takes the bytes of the file, and its name for messages.
    init(data: Data, name: String) {
        bytes = Array(data)
        self.name = name
    }

    /// Finds the format and the audio among the chunks.
    func parse() throws(RealtimeError) -> WAVFile {
        guard ["RIFF", "RF64"].contains(identifier(at: 0)), identifier(at: 8) == "WAVE" else {
            throw RealtimeError(.decodingFailed, "\(name) isn't a WAV file.")
        }
        var format: Format?
        var longSize: Int?
        var offset = 12
        while offset + 8 <= bytes.count {
            let start = offset + 8
            let size = length(at: offset + 4)
            switch identifier(at: offset) {
            case "ds64" where size >= 16 && start + 16 <= bytes.count:
                let (low, high) = (uint32(at: start + 8), uint32(at: start + 12))
                longSize = Int(exactly: UInt64(high) << 32 | UInt64(low))
            case "fmt ":
                format = try self.format(at: start, size: size)
            case "data":
                guard let format else {
                    throw RealtimeError(.decodingFailed, "\(name) doesn't say its format.")
                }
                let size = uint32(at: offset + 4)
                let end = audioEnd(start: start, size: size, longSize: longSize)
                return try file(format, audio: start..<end)
            default:
                break
            }
            // Chunks begin at even places.
            offset = start + size + size % 2
        }
        throw RealtimeError(.decodingFailed, "\(name) has no audio in it.")
    }

    /// Where the audio ends: where the chunk says, or at the end of the file if that comes first
    /// or if the writer didn't know.
    private func audioEnd(start: Int, size: UInt32, longSize: Int?) -> Int {
        let left = bytes.count - start
        if size == .max { return start + min(longSize ?? left, left) }
        guard size == 0 else { return start + min(Int(clamping: size), left) }
        // An empty chunk, or a size to be filled in later: then the file's own size is missing
        // too, or it is that of the header.
        let fileSize = uint32(at: 4)
        let isUnfinished = fileSize == .max || Int(clamping: fileSize) <= start - 8
        return isUnfinished ? bytes.count : start
    }

    private func format(at start: Int, size: Int) throws(RealtimeError) -> Format {
        guard size >= 16, start + min(size, 40) <= bytes.count else {
            throw RealtimeError(.decodingFailed, "\(name) doesn't say its format.")
        }
        var format = Format(
            code: uint16(at: start),
            channels: Int(uint16(at: start + 2)),
            rate: Int(clamping: uint32(at: start + 4)),
            bytesPerFrame: Int(uint16(at: start + 12)),
            bits: Int(uint16(at: start + 14))
        )
        // WAVE_FORMAT_EXTENSIBLE: the code is the beginning of a GUID.
        if format.code == 0xFFFE, size >= 40 { format.code = uint16(at: start + 24) }
        guard format.channels > 0, format.rate > 0 else {
            throw RealtimeError(
                .decodingFailed,
                "\(name) has \(format.channels) channels of \(format.rate) Hz."
            )
        }
        return format
    }

    private func file(_ format: Format, audio: Range<Int>) throws(RealtimeError) -> WAVFile {
        // A sample may have fewer bits than its place, which are then the upper ones.
        var width = (format.bits + 7) / 8
        if format.bytesPerFrame % format.channels == 0, format.bytesPerFrame > 0 {
            width = format.bytesPerFrame / format.channels
        }
        let encoding: WAVFile.Encoding
        switch (format.code, width) {
        case (Self.pcm, 1...4): encoding = .pcm(bits: width * 8)
        case (3, 4), (3, 8): encoding = .float(bits: width * 8)
        case (6, 1): encoding = .aLaw
        case (7, 1): encoding = .muLaw
        default:
            throw RealtimeError(
                .unsupported,
                "\(name) is \(Self.describe(format)), which can't be read; PCM, float and G.711 can."
            )
        }
        let frames = audio.count / (width * format.channels)
        return WAVFile(
            encoding: encoding,
            rate: format.rate,
            channels: format.channels,
            samples: samples(encoding, at: audio.lowerBound, count: frames * format.channels)
        )
    }

    private func samples(_ encoding: WAVFile.Encoding, at start: Int, count: Int) -> [Float] {
        switch encoding {
        case .aLaw:
            return (start..<start + count).map { Float(G711.aLaw.decode(bytes[$0])) / 32_768 }
        case .muLaw:
            return (start..<start + count).map { Float(G711.muLaw.decode(bytes[$0])) / 32_768 }
        case .pcm(bits: 8):
            return (start..<start + count).map { Float(Int(bytes[$0]) - 128) / 128 }
        case .pcm(bits: 16):
            return (0..<count).map {
                Float(Int16(bitPattern: uint16(at: start + $0 * 2))) * PCM16.fromInt16
            }
        case .pcm(bits: 24):
            return (0..<count).map { index in
                let low = UInt32(uint16(at: start + index * 3)) << 8
                let high = UInt32(bytes[start + index * 3 + 2]) << 24
                return Float(Int32(bitPattern: low | high)) / 2_147_483_648
            }
        case .pcm:
            return (0..<count).map {
                Float(Int32(bitPattern: uint32(at: start + $0 * 4))) / 2_147_483_648
            }
        case .float(bits: 32):
            return (0..<count).map { finite(Float(bitPattern: uint32(at: start + $0 * 4))) }
        case .float:
            return (0..<count).map { index in
                let low = UInt64(uint32(at: start + index * 8))
                let high = UInt64(uint32(at: start + index * 8 + 4))
                return finite(Float(Double(bitPattern: high << 32 | low)))
            }
        }
    }

    /// What isn't a number would spread through a filter.
    private func finite(_ value: Float) -> Float {
        value.isFinite ? value : 0
    }

    private func identifier(at offset: Int) -> String? {
        guard offset + 4 <= bytes.count else { return nil }
        return String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
    }

    /// The size of a chunk, at most that of the file, so that it can be added to a place.
    private func length(at offset: Int) -> Int {
        min(Int(clamping: uint32(at: offset)), bytes.count)
    }

    private func uint16(at offset: Int) -> UInt16 {
        UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8
    }

    private func uint32(at offset: Int) -> UInt32 {
        UInt32(uint16(at: offset)) | UInt32(uint16(at: offset + 2)) << 16
    }

    /// The name of an encoding that can't be read.
    private static func describe(_ format: Format) -> String {
        switch format.code {
        case 0x0001: "\(format.bits)-bit PCM"
        case 0x0002: "Microsoft ADPCM"
        case 0x0003: "\(format.bits)-bit float"
        case 0x0011: "IMA ADPCM"
        case 0x0031: "GSM 6.10"
        case 0x0040, 0x0045, 0x0064: "G.726"
        case 0x0050: "MPEG audio"
        case 0x0055: "MP3"
        case 0x00FF, 0x1600, 0x1610: "AAC"
        default: "of format 0x" + String(format.code, radix: 16, uppercase: true)
        }
    }
}
