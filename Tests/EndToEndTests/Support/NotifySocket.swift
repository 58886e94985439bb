import Foundation
import Glibc
import Synchronization
import TestKit

/// A datagram socket that replaces the service manager's (sd_notify(3)).
final class NotifySocket: Sendable {
  let path: String
  private let descriptor: Int32
  private let text = Mutex("")
  /// The descriptors stored with `FDSTORE=1`, by name.
  private let store = Mutex<[String: Int32]>([:])

  init(path: String) throws {
    self.path = path
    descriptor = socket(
      AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard withUnixAddress(path, { bind(descriptor, $0, $1) }) == 0 else { throw POSIXError(.EADDRINUSE) }
  }

  deinit {
    close(descriptor)
    for kept in store.withLock({ $0.values }) { close(kept) }
  }

  /// Everything received so far.
  @discardableResult
  func received() -> String {
    while let (state, passed) = next() {
      text.withLock { $0 += state + "\n" }
      follow(state, passed)
    }
    return text.withLock { $0 }
  }

  /// The descriptor stored under that name, after all pending messages.
  func kept(_ name: String) -> Int32? {
    received()
    return store.withLock { $0[name] }
  }

  private func follow(_ state: String, _ passed: Int32?) {
    let values = Dictionary(
      state.split(separator: "\n").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        .map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
    let name = values["FDNAME"] ?? ""
    if values["FDSTOREREMOVE"] == "1", let old = store.withLock({ $0.removeValue(forKey: name) }) { close(old) }
    guard let passed else { return }
    guard values["FDSTORE"] == "1" else {
      close(passed)
      return
    }
    if let old = store.withLock({ $0.updateValue(passed, forKey: name) }) { close(old) }
  }

  /// Receives one datagram, and a descriptor if it carries one (recvmsg(2); SCM_RIGHTS, unix(7)).
  private func next() -> (state: String, descriptor: Int32?)? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    // struct cmsghdr: its length, its level and its type, then the descriptor.
    var control = [UInt8](repeating: 0, count: 64)
    let (count, length) = buffer.withUnsafeMutableBytes { bytes in
      control.withUnsafeMutableBytes { control in
        var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
        return withUnsafeMutablePointer(to: &part) { part in
          var message = msghdr()
          (message.msg_iov, message.msg_iovlen) = (part, 1)
          (message.msg_control, message.msg_controllen) = (control.baseAddress, control.count)
          return (recvmsg(descriptor, &message, Int32(MSG_CMSG_CLOEXEC)), message.msg_controllen)
        }
      }
    }
    guard count > 0 else { return nil }
    // SO_PASSCRED is not set, so credentials that sd_notify sends for root do not arrive: any
    // control data is the descriptor.
    let passed = length >= 20 ? control.withUnsafeBytes { $0.load(fromByteOffset: 16, as: Int32.self) } : nil
    return (String(decoding: buffer[..<count], as: UTF8.self), passed)
  }
}

/// True if a program accepts connections at `path`; a socket file left by a dead agent is not
/// enough.
func canConnect(to path: String) -> Bool {
  let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
  defer { close(descriptor) }
  return withUnixAddress(path) { connect(descriptor, $0, $1) } == 0
}
