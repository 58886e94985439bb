import CSystemd
import Glibc
import SessionEngine
import SystemSupport

/// The descriptors by which the kernel tells of clocks and routes. `next` is for one thread, `stop` for any.
final class KernelSources: Sendable {
  private let clock: Int32
  private let routes: Int32
  private let stopped: (read: Int32, write: Int32)

  /// nil, with `errno`, where neither can be watched.
  init?() {
    clock = ritual_clock_watch()
    if clock >= 0 { _ = ritual_clock_watch_arm(clock) }
    routes = ritual_route_watch()
    var pair: [Int32] = [-1, -1]
    let made = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair)
    stopped = (pair[0], pair[1])
    guard made == 0, clock >= 0 || routes >= 0 else { return nil }
  }

  deinit {
    // A failed initialiser leaves some of them at -1, which close(2) refuses without harm.
    for descriptor in [clock, routes, stopped.read, stopped.write] { close(descriptor) }
  }

  /// Blocks until the kernel tells something; nil after `stop`.
  func next() -> KernelEvent? {
    while true {
      // poll(2) ignores negative descriptors.
      var polled = [stopped.read, clock, routes].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&polled, nfds_t(polled.count), -1) >= 0 else {
        if errno == EINTR { continue }
        return nil
      }
      if polled[0].revents != 0 { return nil }
      if polled[1].revents != 0, clockChanged() { return .clock }
      if polled[2].revents != 0 {
        drainRoutes()
        return .network
      }
    }
  }

  /// Makes `next` return nil, now and from now on.
  func stop() { write(stopped.write, "x", 1) }

  /// timerfd_create(2): after the clock was set, read(2) fails with ECANCELED, once.
  private func clockChanged() -> Bool {
    var expirations: UInt64 = 0
    let result = read(clock, &expirations, 8)
    let isCanceled = result < 0 && errno == ECANCELED
    _ = ritual_clock_watch_arm(clock)
    return isCanceled
  }

  /// What changed is not looked at; ENOBUFS (rtnetlink(7)) means that some was lost, which is no less a change.
  private func drainRoutes() {
    var buffer = [UInt8](repeating: 0, count: 8192)
    while recv(routes, &buffer, buffer.count, 0) > 0 || errno == EINTR {}
  }
}
