import CSystemd
import Glibc
package import NIOCore
package import SystemSupport

/// The process at the other end of a connection, so that it can be told from one that got its number later.
package final class PeerProcess: Sendable {
  enum Evidence: Sendable, Equatable {
    /// A descriptor of the very process (pidfd_open(2)), which SO_PEERPIDFD of Linux 6.5 gives.
    case descriptor(Int32)
    /// An older kernel: who began after the connection was accepted is another one. 10 ms are not told apart.
    case accepted(BootTime)
    /// It had ended already.
    case gone
  }

  let evidence: Evidence

  init(_ evidence: Evidence) { self.evidence = evidence }

  deinit {
    if case .descriptor(let descriptor) = evidence { close(descriptor) }
  }

  /// Whether `isStill` tells of all that was read before, by itself.
  var isCertain: Bool {
    if case .descriptor = evidence { true } else { false }
  }

  /// Whether a process with the caller's number that began `startedAt`, in clock ticks since boot, is the caller.
  func isStill(startedAt ticks: UInt64?) -> Bool {
    switch evidence {
    case .gone: return false
    case .descriptor(let descriptor):
      // Readable when the process has ended (pidfd_open(2)); until then nobody else gets its number.
      var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      return Glibc.poll(&poll, 1, 0) == 0
    case .accepted(let time):
      guard let ticks else { return false }
      let nanoseconds = UInt64(1_000_000_000 / max(1, sysconf(Int32(_SC_CLK_TCK))))
      return ticks <= UInt64(max(0, time.nanoseconds)) / nanoseconds
    }
  }

  /// What the kernel tells about the other end of `channel`, a Unix socket. Answers at once on the channel's event loop.
  package static func of(_ channel: any Channel, now: BootTime) -> EventLoopFuture<PeerProcess> {
    guard let provider = channel as? any SocketOptionProvider else {
      return channel.eventLoop.makeSucceededFuture(PeerProcess(.accepted(now)))
    }
    let descriptor: EventLoopFuture<Int32> = provider.unsafeGetSocketOption(
      level: NIOBSDSocket.OptionLevel(rawValue: SOL_SOCKET),
      name: NIOBSDSocket.Option(rawValue: ritual_so_peerpidfd))
    return descriptor.map { PeerProcess(.descriptor($0)) }.flatMapErrorThrowing { error in
      let isUnknown = (error as? IOError)?.errnoCode == ENOPROTOOPT
      return PeerProcess(isUnknown ? .accepted(now) : .gone)
    }
  }
}
