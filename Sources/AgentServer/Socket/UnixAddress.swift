import Glibc

/// A path as the address of a Unix socket (unix(7)).
struct UnixAddress {
  private var address = sockaddr_un()

  init(_ path: String) throws(SocketError) {
    let bytes = Array(path.utf8)
    let room = MemoryLayout.size(ofValue: address.sun_path) - 1
    guard !bytes.isEmpty, bytes.count <= room, !bytes.contains(0) else {
      throw SocketError(.invalid, "\(path) is no address of a socket: it may have 1 to \(room) bytes")
    }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
  }

  func bind(_ descriptor: Int32) -> Int32 { withPointer { Glibc.bind(descriptor, $0, $1) } }

  func connect(_ descriptor: Int32) -> Int32 { withPointer { Glibc.connect(descriptor, $0, $1) } }

  private func withPointer(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }
}
