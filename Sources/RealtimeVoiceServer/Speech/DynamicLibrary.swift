import Foundation
import RealtimeVoice

/// A library found at run time. It stays loaded until the process ends, so a symbol taken
/// from it never dangles.
struct DynamicLibrary {
    private let handle: Int
    private let name: String

    /// Loads the first library of the list that is there.
    ///
    /// - Throws: `unsupported`, with `hint` telling what to install.
    init(anyOf names: [String], hint: String) throws(RealtimeError) {
        var reason = ""
        for name in names {
            if let opened = unsafe dlopen(name, RTLD_NOW | RTLD_GLOBAL) {
                self.handle = Int(bitPattern: opened)
                self.name = name
                return
            }
            if let text = unsafe dlerror() { reason = unsafe String(cString: text) }
        }
        throw RealtimeError(.unsupported, "\(hint) (\(reason))")
    }

    /// Whether the library has the symbol.
    func has(_ symbol: String) -> Bool {
        unsafe dlsym(UnsafeMutableRawPointer(bitPattern: handle), symbol) != nil
    }

    /// A function of the library.
    ///
    /// The caller vouches for the type: nothing checks it.
    ///
    /// - Throws: `unsupported` where the library has no such symbol: another version.
    func function<Function>(
        _ symbol: String,
        as type: Function.Type
    ) throws(RealtimeError) -> Function {
        guard let address = unsafe dlsym(UnsafeMutableRawPointer(bitPattern: handle), symbol)
        else {
            throw RealtimeError(.unsupported, "\(name) has no \(symbol): an unknown version")
        }
        return unsafe unsafeBitCast(address, to: type)
    }
}
