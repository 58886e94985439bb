import Glibc

/// A failed call of unshare(2) or mount(2), which the Glibc module does not export, or of
/// pthread_create(3).
struct MountError: Error {
  let call: String
  let errno: Int32
}

private typealias Unshare = @convention(c) (Int32) -> Int32
private typealias Text = UnsafePointer<CChar>
private typealias Mount = @convention(c) (Text, Text, Text, UInt, Text?) -> Int32

// <sched.h>, <sys/mount.h>
private let newMountNamespace: Int32 = 0x20000
private let recursivelyPrivate: UInt = 1 << 14 | 1 << 18
private let remountedReadOnly: UInt = 1 | 1 << 5

/// Runs `body` on a thread with its own mount namespace, where `folder` is a tmpfs of `bytes`. The
/// tmpfs disappears when the thread ends.
func onSmallDisk(at folder: String, bytes: Int, _ body: @escaping @Sendable () throws -> Void) async throws {
  try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
    let work = Unmanaged.passRetained(
      Work {
        continuation.resume(
          with: Result {
            try mountSmallDisk(at: folder, bytes: bytes)
            try body()
          })
      })
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { argument in
        Unmanaged<Work>.fromOpaque(argument!).takeRetainedValue().run()
        return nil
      }, work.toOpaque())
    if result != 0 {
      work.release()
      continuation.resume(throwing: MountError(call: "pthread_create", errno: result))
    } else {
      pthread_detach(thread)
    }
  }
}

/// Remounts `folder` read-only. Only within `onSmallDisk`.
///
/// Retries on EBUSY: a child started by another test has a copy of every descriptor until its
/// exec(2).
func remountReadOnly(_ folder: String) throws {
  for _ in 0..<3000 {
    do {
      return try mount("none", on: folder, "tmpfs", remountedReadOnly, nil)
    } catch let error as MountError where error.errno == EBUSY {
      usleep(10_000)
    }
  }
  throw MountError(call: "mount \(folder)", errno: EBUSY)
}

private final class Work: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func mountSmallDisk(at folder: String, bytes: Int) throws {
  let unshare = unsafeBitCast(dlsym(nil, "unshare"), to: Unshare.self)
  guard unshare(newMountNamespace) == 0 else { throw MountError(call: "unshare", errno: errno) }
  try mount("none", on: "/", "", recursivelyPrivate, nil)
  try mount("none", on: folder, "tmpfs", 0, "size=\(bytes),mode=700")
}

private func mount(_ source: String, on folder: String, _ kind: String, _ flags: UInt, _ options: String?) throws {
  let mount = unsafeBitCast(dlsym(nil, "mount"), to: Mount.self)
  let result =
    if let options { mount(source, folder, kind, flags, options) } else { mount(source, folder, kind, flags, nil) }
  guard result == 0 else { throw MountError(call: "mount \(folder)", errno: errno) }
}
