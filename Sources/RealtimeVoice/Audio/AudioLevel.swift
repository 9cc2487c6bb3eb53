import Foundation

/// How loud a piece of audio is; full scale is 1, or 0 dBFS.
public struct AudioLevel: Sendable, Hashable {
    /// The root of the mean square, 0…1; a full-scale sine has 0.707.
    public var rms: Float
    /// The greatest magnitude, 0…1.
    public var peak: Float

    /// Creates a level.
    public init(rms: Float, peak: Float) {
        self.rms = rms
        self.peak = peak
    }

    /// Silence, which also has no samples at all.
    public static let silence = AudioLevel(rms: 0, peak: 0)
    /// The decibels of silence, and the least that is ever reported.
    public static let minimumDecibels: Float = -120

    /// The RMS in dBFS, -120…0; a full-scale sine has -3.
    public var rmsDecibels: Float { Self.decibels(rms) }
    /// The peak in dBFS, -120…0.
    public var peakDecibels: Float { Self.decibels(peak) }

    /// The decibels of a magnitude, at least -120.
    public static func decibels(_ magnitude: Float) -> Float {
        magnitude > 0 ? max(20 * log10(magnitude), minimumDecibels) : minimumDecibels
    }
}
