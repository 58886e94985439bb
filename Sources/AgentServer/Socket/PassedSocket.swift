import CSystemd
import Glibc

/// A descriptor that the service manager passed (sd_listen_fds(3)).
public struct PassedSocket: Sendable, Hashable {
  /// The descriptor; it is closed on exec.
  public let descriptor: Int32
  /// `FileDescriptorName=` of the socket unit; by default the unit's name.
  public let name: String

  init(descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  /// Whether it is a listening AF_UNIX stream socket (sd_is_socket_unix(3)).
  public var isListeningUnixStream: Bool {
    sd_is_socket_unix(descriptor, Int32(SOCK_STREAM.rawValue), 1, nil, 0) > 0
  }

  /// Takes everything that was passed to this process, once: the variables are removed from the environment, so that no
  /// child believes they are for it. Call it before there is a second thread. Empty where nothing was passed.
  public static func takeAll() -> [PassedSocket] {
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = sd_listen_fds_with_names(1, &names)
    defer { free(names) }
    guard count > 0 else { return [] }
    return (0..<Int(count)).map { index in
      let name = names?[index]
      defer { free(name) }
      // SD_LISTEN_FDS_START of sd-daemon.h: the first passed descriptor is always 3.
      return PassedSocket(descriptor: Int32(3 + index), name: name.map { String(cString: $0) } ?? "unknown")
    }
  }
}
