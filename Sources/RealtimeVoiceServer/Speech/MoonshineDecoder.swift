import CSpeech
import Foundation
import RealtimeVoice

/// Recognition by Moonshine tiny-en, from the folder of the unpacked wheel `moonshine-voice`
/// 0.1.0.
///
/// The text belongs to the transcriber until its next call; the recogniser's one worker makes
/// the calls one at a time, and the text is copied before the call returns. Nothing is
/// mutable here, the function pointers and the handle stay valid for the process's life: hence
/// `@unchecked Sendable`.
@safe final class MoonshineDecoder: WholeTurnDecoder, @unchecked Sendable {
    static let hint = """
        Moonshine isn't there: scripts/fetch-moonshine.sh fetches it into .cache/moonshine, \
        or set REALTIME_MOONSHINE_DIR to the folder of the unpacked wheel
        """

    let name = "Moonshine tiny-en"
    let partialInterval = 8_000
    let maximumSamples = 20 * 16_000

    private let handle: Int32
    private let transcribe: cspeech_moonshine_transcribe_fn

    /// Loads the library and the model.
    ///
    /// - Throws: `unsupported` where the folder lacks them, or holds another version.
    init(directory: String) throws(RealtimeError) {
        let root = directory + "/moonshine_voice"
        let library = try DynamicLibrary(
            anyOf: ["\(root)/libmoonshine.so", "\(root)/libmoonshine.dylib"], hint: Self.hint)
        let load = try unsafe library.function(
            "moonshine_load_transcriber_from_files", as: cspeech_moonshine_load_fn.self)
        unsafe self.transcribe = unsafe try library.function(
            "moonshine_transcribe_without_streaming", as: cspeech_moonshine_transcribe_fn.self)
        // Our own detector cuts the turns; the library's would add stray lines.
        self.handle = unsafe "vad_threshold".withCString { key in
            unsafe "0".withCString { value in
                var option = unsafe cspeech_moonshine_option(name: key, value: value)
                return unsafe load("\(root)/assets/tiny-en", 0, &option, 1, 30_000)
            }
        }
        guard handle >= 0 else {
            throw RealtimeError(
                .unsupported, "Moonshine's model did not load (\(handle)). \(Self.hint)")
        }
    }

    /// The folders that may hold the unpacked wheel, likeliest first.
    static func candidateDirectories(
        given: String?,
        environment: [String: String],
        workingDirectory: String
    ) -> [String] {
        if let given { return [given] }
        if let set = environment["REALTIME_MOONSHINE_DIR"], !set.isEmpty { return [set] }
        // Tests and tools run from anywhere below the package's root.
        var folder = URL(fileURLWithPath: workingDirectory).standardizedFileURL
        var found: [String] = []
        while folder.path != "/" {
            found.append(folder.appendingPathComponent(".cache/moonshine").path)
            folder.deleteLastPathComponent()
        }
        return found
    }

    func decode(_ samples: [Int16]) throws(RealtimeError) -> String {
        // Cut at the last sample it hears an ending that isn't there ("in pair?" for "in
        // Paris?"): a little silence at the end helps.
        var floats = samples.map { Float($0) / 32_768 }
        floats += repeatElement(0, count: 4_800)
        let count = UInt64(floats.count)
        var output: UnsafeMutablePointer<cspeech_moonshine_transcript>?
        let status = unsafe floats.withUnsafeMutableBufferPointer { buffer in
            unsafe transcribe(handle, buffer.baseAddress, count, 16_000, 0, &output)
        }
        guard status == 0, let transcript = unsafe output else {
            throw RealtimeError(.unsupported, "Moonshine could not decode a turn (\(status))")
        }
        var lines: [String] = []
        for index in 0..<(unsafe Int(transcript.pointee.line_count)) {
            guard let text = unsafe transcript.pointee.lines[index].text else { continue }
            let line = unsafe String(cString: text).trimmingCharacters(in: .whitespacesAndNewlines)
            if !line.isEmpty { lines.append(line) }
        }
        return lines.joined(separator: " ")
    }
}
