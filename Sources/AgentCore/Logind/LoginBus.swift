import CSystemd
import Glibc
import Synchronization
import SystemBus
import SystemSupport

/// The conversation with systemd-logind. `run` is for one thread, `stop` for any.
final class LoginBus: Sendable {
  /// The pause after a connection that failed. While there is no bus at all, inotify(7) tells when it comes.
  private static let pause: Int32 = 30_000  // milliseconds
  /// A bus that has not answered by then counts as missing; it is taken when it comes all the same.
  private static let patience: Duration = .seconds(1)

  private let address: String
  private let uid: UInt32
  private let stopped: (read: Int32, write: Int32)
  private let isStopped = Atomic(false)

  /// The system bus of this machine, or of `DBUS_SYSTEM_BUS_ADDRESS`. nil, with `errno`, where there are no descriptors left.
  init?(address: String? = nil, uid: UInt32 = geteuid()) {
    let set = getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) }
    self.address = address ?? set ?? "unix:path=/run/dbus/system_bus_socket"
    self.uid = uid
    var pair: [Int32] = [-1, -1]
    let made = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair)
    stopped = (pair[0], pair[1])
    guard made == 0 else { return nil }
  }

  deinit {
    close(stopped.read)
    close(stopped.write)
  }

  /// Makes `run` return, now or from now on.
  func stop() {
    isStopped.store(true, ordering: .relaxed)
    write(stopped.write, "x", 1)
  }

  /// Tells what logind tells, over every loss of the bus, until `stop`. Blocks.
  func run(_ tell: (LoginEvent) -> Void) {
    while !isStopped.load(ordering: .relaxed) {
      do {
        try converse(SystemBus(address), tell)
      } catch {
        // A sleep that was announced on a connection that is gone will not be called off any more.
        tell(.wokeUp)
        tell(.missing(words(of: error.errno)))
        var polled = pollfd(fd: stopped.read, events: Int16(POLLIN), revents: 0)
        poll(&polled, 1, Self.pause)
      }
    }
  }

  /// Returns after `stop`.
  private func converse(_ bus: consuming SystemBus, _ tell: (LoginEvent) -> Void) throws(SystemBus.Failure) {
    var talk: LoginTalk?
    let begun = ContinuousClock.now
    var isPatient = true
    while true {
      while let message = try bus.next() { talk?.take(message, on: bus, tell) }
      if talk == nil, bus.isReady {
        talk = try LoginTalk(on: bus, uid: uid, tell)
        continue
      }
      if talk == nil, isPatient, begun.duration(to: .now) >= Self.patience {
        isPatient = false
        tell(.missing("the system bus does not answer"))
      }
      // A tenth of the patience: its end need not be hit.
      if try bus.wait(or: stopped.read, limit: talk == nil && isPatient ? 100 : -1) { return }
    }
  }
}
