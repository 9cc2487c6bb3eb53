import Foundation
import RealtimeVoice
import Testing

struct WAVFileTests {
    /// Builds files from parts.
    private struct Builder {
        var code: UInt16 = 1
        var channels = 1
        var rate = 16_000
        var width = 2
        var extensible = false
        /// Chunks before the format.
        var prologue: [UInt8] = []
        /// Chunks after the audio.
        var epilogue: [UInt8] = []
        var fileSize: UInt32?
        var audioSize: UInt32?

        func data(_ audio: [UInt8]) -> Data {
            var format = little(extensible ? UInt16(0xFFFE) : code) + little(UInt16(channels))
            format += little(UInt32(rate)) + little(UInt32(rate * channels * width))
            format += little(UInt16(channels * width)) + little(UInt16(width * 8))
            if extensible {
                format += little(UInt16(22)) + little(UInt16(width * 8)) + little(UInt32(0))
                // The GUID xxxxxxxx-0000-0010-8000-00AA00389B71.
                format += little(UInt32(code))
                format += [0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
            }
            var body = Array("WAVE".utf8) + prologue + chunk("fmt ", format)
            body += chunk("data", audio, size: audioSize) + epilogue
            return Data("RIFF".utf8 + little(fileSize ?? UInt32(body.count)) + body)
        }
    }

    private func expect(
        _ file: WAVFile,
        _ encoding: WAVFile.Encoding,
        rate: Int = 16_000,
        channels: Int = 1,
        _ samples: [Float]
    ) {
        #expect(file.encoding == encoding)
        #expect(file.rate == rate && file.channels == channels)
        #expect(file.samples == samples)
    }

    private let audio = PCM16.data([1, -2, 16_384, -32_768] as [Int16]).map { $0 }
    private let samples: [Float] = [1 / 32_768, -2 / 32_768, 0.5, -1]

    @Test(arguments: [false, true])
    func everyEncodingIsRead(extensible: Bool) throws {
        func read(_ code: UInt16, _ width: Int, _ audio: [UInt8]) throws -> WAVFile {
            try WAVFile(data: Builder(code: code, width: width, extensible: extensible).data(audio))
        }
        expect(try read(1, 1, [0, 128, 192, 255]), .pcm(bits: 8), [-1, 0, 0.5, 127 / 128])
        expect(try read(1, 2, audio), .pcm(bits: 16), samples)
        expect(
            try read(1, 3, [0, 0, 0x80, 1, 0, 0, 0, 0, 0x40]),
            .pcm(bits: 24),
            [-1, 1 / 8_388_608, 0.5]
        )
        expect(
            try read(1, 4, [0, 0, 0, 0x80, 0, 1, 0, 0, 0, 0, 0, 0x40]),
            .pcm(bits: 32),
            [-1, 1 / 8_388_608, 0.5]
        )
        let floats = [0.25, -1, 1.5, .nan].map { Float($0) }
        expect(
            try read(3, 4, floats.flatMap { little($0.bitPattern) }),
            .float(bits: 32),
            [0.25, -1, 1.5, 0]
        )
        expect(
            try read(3, 8, floats.flatMap { little(Double($0).bitPattern) }),
            .float(bits: 64),
            [0.25, -1, 1.5, 0]
        )
        expect(try read(6, 1, [0x55, 0xAA]), .aLaw, [-8 / 32_768, 32_256 / 32_768])
        expect(try read(7, 1, [0xFF, 0x00]), .muLaw, [0, -32_124 / 32_768])
    }

    @Test func otherChunksAreSkipped() throws {
        var builder = Builder(channels: 2)
        builder.prologue = chunk("LIST", Array("INFOodd".utf8)) + chunk("JUNK", [])
        builder.epilogue = chunk("LIST", Array("INFO".utf8))
        expect(
            try WAVFile(data: builder.data(audio)),
            .pcm(bits: 16),
            channels: 2,
            samples
        )
    }

    @Test func unfinishedFilesHaveWhatIsThere() throws {
        let file = WAVFile(encoding: .pcm(bits: 16), rate: 16_000, channels: 1, samples: samples)
        for (fileSize, audioSize) in [
            (UInt32.max, UInt32.max), (0, 0), (36, 0), (.max, 0), (nil, .max), (nil, 1_000),
        ] as [(UInt32?, UInt32)] {
            let data = Builder(fileSize: fileSize, audioSize: audioSize).data(audio)
            #expect(try WAVFile(data: data) == file, "\(String(describing: fileSize)) \(audioSize)")
        }
        let cut = Builder(channels: 1).data(audio).dropLast(3)
        expect(try WAVFile(data: cut), .pcm(bits: 16), Array(samples.prefix(2)))
    }

    @Test func anEmptyChunkIsEmpty() throws {
        var builder = Builder()
        builder.epilogue = chunk("LIST", Array("INFO".utf8))
        expect(try WAVFile(data: builder.data([])), .pcm(bits: 16), [])
    }

    @Test func longFilesHaveTheirSizeElsewhere() throws {
        var builder = Builder(fileSize: .max, audioSize: .max)
        builder.prologue = chunk(
            "ds64",
            little(UInt64(0)) + little(UInt64(8)) + little(UInt64(4))
        )
        builder.epilogue = chunk("LIST", Array("INFO".utf8))
        let data = Data("RF64".utf8) + builder.data(audio).dropFirst(4)
        expect(try WAVFile(data: data), .pcm(bits: 16), samples)
    }

    @Test func whatCannotBeReadSaysWhy() {
        let cases: [(Data, RealtimeError.Code, String)] = [
            (Data(), .decodingFailed, "x.wav isn't a WAV file."),
            (Data("RIFF____AVI LIST".utf8), .decodingFailed, "x.wav isn't a WAV file."),
            (Data("ID3 and more of it".utf8), .decodingFailed, "x.wav isn't a WAV file."),
            (Builder().data([]).prefix(12), .decodingFailed, "x.wav has no audio in it."),
            (Builder().data([]).prefix(36), .decodingFailed, "x.wav has no audio in it."),
            (Builder().data([]).prefix(30), .decodingFailed, "x.wav doesn't say its format."),
            (Builder(rate: 0).data([]), .decodingFailed, "x.wav has 1 channels of 0 Hz."),
            (
                Builder(code: 0x11).data([]), .unsupported,
                "x.wav is IMA ADPCM, which can't be read; PCM, float and G.711 can."
            ),
            (
                Builder(code: 0x1234).data([]), .unsupported,
                "x.wav is of format 0x1234, which can't be read; PCM, float and G.711 can."
            ),
            (
                Builder(code: 1, width: 8).data([]), .unsupported,
                "x.wav is 64-bit PCM, which can't be read; PCM, float and G.711 can."
            ),
        ]
        for (data, code, message) in cases {
            #expect(throws: RealtimeError(code, message)) {
                try WAVFile(data: data, name: "x.wav")
            }
        }
    }

    /// No beginning of a file, and no byte of its header gone wrong, may crash.
    @Test func damageNeverCrashes() {
        var builder = Builder(channels: 2, width: 4, extensible: true)
        builder.prologue = chunk("LIST", [1, 2, 3])
        let good = builder.data([UInt8](repeating: 1, count: 16))
        for count in 0...good.count { _ = try? WAVFile(data: good.prefix(count)) }
        for index in good.indices {
            for value: UInt8 in [0, 1, 3, 127, 128, 255] {
                var bad = good
                bad[index] = value
                _ = try? WAVFile(data: bad)
            }
        }
    }

    @Test func pcmIsMonoAtTheWantedRate() throws {
        let file = try WAVFile(data: Builder(channels: 2, rate: 48_000).data(audio))
        #expect(try file.pcm16(rate: 48_000) == PCM16.data([-1, -8_192] as [Int16]))
        let second = WAVFile(
            encoding: .aLaw,
            rate: 8_000,
            channels: 1,
            samples: Array(repeating: 0.5, count: 8_000)
        )
        #expect(second.seconds == 1)
        #expect(try second.pcm16(rate: 24_000).count == 48_000)
    }

    @Test func whatIsWrittenIsRead() throws {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("WAVFileTests-\(UUID().uuidString).wav")
        defer { try? FileManager.default.removeItem(at: url) }
        let pcm = Data(audio)
        try WAVFile.write(pcm16: pcm + [7], rate: 24_000, to: url)
        let file = try WAVFile.read(contentsOf: url)
        expect(file, .pcm(bits: 16), rate: 24_000, samples)
        #expect(try file.pcm16(rate: 24_000) == pcm)
        #expect(try Data(contentsOf: url) == Builder(rate: 24_000).data(audio))
        try WAVFile.write(pcm16: pcm, rate: 8_000, channels: 2, to: url)
        #expect(try WAVFile.read(contentsOf: url).frameCount == 2)
    }

    @Test func filesThatAreNotThereAreReported() throws {
        let missing = URL(fileURLWithPath: "/nowhere/x.wav")
        #expect(throws: RealtimeError(.invalidInput, "There is no file /nowhere/x.wav.")) {
            try WAVFile.read(contentsOf: missing)
        }
        #expect(throws: RealtimeError(.invalidInput, "/nowhere/x.wav can't be written.")) {
            try WAVFile.write(pcm16: Data(), rate: 8_000, to: missing)
        }
        #expect(throws: RealtimeError(.invalidInput, "/tmp can't be read.")) {
            try WAVFile.read(contentsOf: URL(fileURLWithPath: "/tmp", isDirectory: false))
        }
        let remote = try #require(URL(string: "https://example.com/x.wav"))
        #expect(throws: RealtimeError(.invalidInput, "x.wav isn't on this machine.")) {
            try WAVFile.read(contentsOf: remote)
        }
    }

    @Test func formatsThatAFileCannotHaveAreRefused() {
        #expect(throws: RealtimeError(.invalidInput, "A WAV file can't have 0 channels of 1 Hz.")) {
            try WAVFile.data(pcm16: Data(), rate: 1, channels: 0)
        }
    }
}

private func little(_ value: some FixedWidthInteger) -> [UInt8] {
    unsafe withUnsafeBytes(of: value.littleEndian) { unsafe Array($0) }
}

private func chunk(_ name: String, _ body: [UInt8], size: UInt32? = nil) -> [UInt8] {
    name.utf8 + little(size ?? UInt32(body.count)) + body + (body.count % 2 == 1 ? [0] : [])
}
