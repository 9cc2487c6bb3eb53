// Stands in for Synchronization's Mutex in builds with the thread sanitizer, which can't see
// into the futex of the real one and would report every guarded value as a race.
// `./test --sanitize thread` lays a copy beside the sources of each target.

import Foundation

/// A lock that the thread sanitizer understands, with the interface of Synchronization's.
@safe struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    // Sendable: the value is only reached between lock and unlock.
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    init(_ initial: consuming sending Value) {
        unsafe lock = .allocate(capacity: 1)
        unsafe value = .allocate(capacity: 1)
        unsafe pthread_mutex_init(lock, nil)
        unsafe value.initialize(to: initial)
    }

    deinit {
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
        unsafe pthread_mutex_destroy(lock)
        unsafe lock.deallocate()
    }

    borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        unsafe pthread_mutex_lock(lock)
        defer { unsafe pthread_mutex_unlock(lock) }
        return try unsafe body(&value.pointee)
    }
}
