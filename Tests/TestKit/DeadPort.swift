import Glibc

/// A loopback port that is bound but does not listen: connections to it are refused, and no other
/// test's server can get it.
public struct DeadPort {
  public let number: Int
  private let descriptor: Int32

  public init() {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(descriptor, $0, length)
        _ = getsockname(descriptor, $0, &length)
      }
    }
    self.descriptor = descriptor
    number = Int(UInt16(bigEndian: address.sin_port))
  }

  public func release() { close(descriptor) }

  /// Starts to listen, and returns the descriptor, which the caller closes; -1 if that fails.
  public func listening() -> Int32 { listen(descriptor, 512) == 0 ? descriptor : -1 }
}
