package import Foundation

/// Base64 as it stands in JSON frames.
package enum Base64 {
    package static func decode(_ bytes: UnsafeRawBufferPointer) -> Data? {
        unsafe Data(base64Encoded: Data(bytes))
    }

    package static func append(_ bytes: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        unsafe output += Array(Data(bytes).base64EncodedData())
    }
}
