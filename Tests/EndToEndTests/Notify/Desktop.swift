import AuthSandbox
import Foundation
import Glibc
import TestKit
import Testing

/// A private session bus with a notification service that records its calls: python3-dbusmock's
/// template.
actor Desktop {
  nonisolated let home: TestHome
  nonisolated let address: String
  private let bus: RunningProgram
  private var service: RunningProgram?
  private var notify: RunningProgram?

  init(_ home: TestHome) async throws {
    self.home = home
    let path = home.folder.path + "/run/session-bus"
    address = "unix:path=" + path
    bus = try RunningProgram(
      "/usr/bin/dbus-daemon", ["--session", "--nofork", "--address=" + address], environment: home.environment,
      folder: home.folder)
    let bus = bus
    try await eventually("the bus listens: \(bus.stderr)") { canConnect(to: path) }
  }

  nonisolated var environment: [String: String] {
    var environment = home.environment
    environment["PATH"] = home.folder.path + "/tools:" + (environment["PATH"] ?? "")
    environment["DBUS_SESSION_BUS_ADDRESS"] = address
    environment["DISPLAY"] = ":99"
    return environment
  }

  /// Starts the notification service.
  func startService(capabilities: String = "actions body body-markup") async throws {
    let service = try RunningProgram(
      "/usr/bin/python3",
      [
        "-m", "dbusmock", "--session", "--template", "notification_daemon", "--parameters",
        #"{"capabilities": "\#(capabilities)"}"#,
      ], environment: environment, folder: home.folder)
    self.service = service
    try await eventually("the notification service is there: \(service.stderr)") {
      try await gdbus(
        "call", "--dest", "org.freedesktop.DBus", "--object-path", "/", "--method",
        "org.freedesktop.DBus.NameHasOwner", "org.freedesktop.Notifications"
      ).stdout.contains("true")
    }
  }

  /// Suspends the service, so that it hangs, or resumes it.
  func hangService(_ hangs: Bool) { service?.send(hangs ? SIGSTOP : SIGCONT) }

  func stopService() async {
    await service?.stop()
    service = nil
  }

  /// Starts ritual-notify.
  func startNotify() throws {
    notify = try RunningProgram(
      Programs.path("ritual-notify"), [], environment: environment, folder: home.folder)
  }

  /// Starts ritual-notify with a wall clock that is `seconds` ahead.
  func startNotify(after seconds: Int) throws {
    let launcher = FakeTime.launcher + ["FAKETIME=+\(seconds)s"]
    notify = try RunningProgram(
      launcher[0], launcher.dropFirst() + [Programs.path("ritual-notify")], environment: environment,
      folder: home.folder)
  }

  func stopNotify() async {
    await notify?.stop()
    notify = nil
  }

  func notifyEnds() async throws -> Output? { try await notify?.end() }
  var notifyPID: Int32? { notify?.pid }
  var notifyLog: String { notify?.stderr ?? "" }

  /// The calls of `Notify` as recorded by the service, one per line.
  var notifications: [String] { lines("Notify ") }
  /// The calls of `CloseNotification`.
  var closed: [String] { lines("CloseNotification ") }

  private func lines(_ method: String) -> [String] {
    (service?.stdout ?? "").split(separator: "\n").map(String.init)
      .filter { $0.contains(" " + method) && !$0.contains(" raised: ") }
  }

  /// Waits until the service has received `count` calls of `Notify`.
  func waitForNotifications(_ count: Int) async throws -> [String] {
    try await eventually("\(count) notifications: \(notifications) \(notifyLog)") { notifications.count >= count }
    return notifications
  }

  /// Makes the service send the signal of a pressed button.
  func press(_ id: Int, _ key: String) async throws {
    let output = try await gdbus(
      "call", "--dest", "org.freedesktop.Notifications", "--object-path", "/org/freedesktop/Notifications",
      "--method", "org.freedesktop.DBus.Mock.EmitSignal", "org.freedesktop.Notifications", "ActionInvoked", "us",
      "[<uint32 \(id)>, <'\(key)'>]")
    #expect(output.status == 0, "\(output.stderr)")
  }

  /// Makes the service answer `Notify` with this Python code from now on.
  func answerNotify(by code: String) async throws {
    let output = try await gdbus(
      "call", "--dest", "org.freedesktop.Notifications", "--object-path", "/org/freedesktop/Notifications",
      "--method", "org.freedesktop.DBus.Mock.AddMethod", "org.freedesktop.Notifications", "Notify", "susssasa{sv}i",
      "u",
      code)
    #expect(output.status == 0, "\(output.stderr)")
  }

  /// Sends the signal of a pressed button from another program, to all receivers or to one.
  nonisolated func forge(_ id: Int, _ key: String, to destination: String? = nil) async throws {
    let output = try await gdbus(
      ["emit", "--session"] + (destination.map { ["--dest", $0] } ?? []) + [
        "--object-path", "/org/freedesktop/Notifications", "--signal", "org.freedesktop.Notifications.ActionInvoked",
        "uint32 \(id)", "'\(key)'",
      ])
    #expect(output.status == 0, "\(output.stderr)")
  }

  /// The unique name of ritual-notify on the bus.
  nonisolated func notifyName(_ pid: Int32) async throws -> String? {
    let names = try await gdbus(
      "call", "--dest", "org.freedesktop.DBus", "--object-path", "/", "--method", "org.freedesktop.DBus.ListNames"
    ).stdout.matches(of: /':[0-9.]+'/).map { String($0.0.dropFirst().dropLast()) }
    for name in names {
      let owner = try await gdbus(
        "call", "--dest", "org.freedesktop.DBus", "--object-path", "/", "--method",
        "org.freedesktop.DBus.GetConnectionUnixProcessID", name)
      if owner.stdout.contains("uint32 \(pid),") { return name }
    }
    return nil
  }

  nonisolated private func gdbus(_ method: String, _ arguments: String...) async throws -> Output {
    try await gdbus([method, "--session"] + arguments)
  }

  nonisolated private func gdbus(_ arguments: [String]) async throws -> Output {
    try await RunningProgram("/usr/bin/gdbus", arguments, environment: environment, folder: home.folder).end()
  }

  func endBus() async { await bus.stop() }

  func end() async {
    await stopNotify()
    await stopService()
    await bus.stop()
  }
}

extension Current {
  static let desktop = TestFixture<Desktop>()
}

/// The desktop of a test with the trait `desktop`.
var desktop: Desktop { Current.desktop.current }

extension Trait where Self == FixtureTrait {
  /// Gives the test a desktop with a home.
  static var desktop: Self { Current.desktop.trait { try await withDesktop($0) } }
}

/// Runs `body` with a test home, a session bus, and a systemd-run that records its arguments.
func withDesktop(_ body: (Desktop) async throws -> Void) async throws {
  try await withTestHome { home in
    try await home.fake("systemd-run", "for word; do printf '%s\\n' \"$word\"; done >> '\(home.folder.path)/ran'")
    let desktop = try await Desktop(home)
    try await withCleanup {
      await desktop.end()
    } _: {
      try await body(desktop)
    }
  }
}

extension TestHome {
  /// The arguments of the systemd-run of `withDesktop` so far, one per element.
  nonisolated var ran: [String] {
    ((try? String(contentsOfFile: folder.path + "/ran", encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
  }

  /// Revokes the account's session at the server and waits until the agent notices.
  nonisolated func loseSession(_ account: String) async throws {
    sandbox.revokeAllSessions()
    try await eventually("the agent notices that the session is gone") {
      _ = try await ctl("refresh", "--account", account)
      return try await accountStatus(account).state == "signInNeeded"
    }
  }

  /// Adds a policy rule to the configuration, and restarts the agent.
  func addRule(_ rule: String) async throws { try await reconfigure { $0 += "\n[[policy.rules]]\n\(rule)\n" } }
}

/// libfaketime, which changes the wall clock of one program.
enum FakeTime {
  static let library = "/usr/lib/\(machine)-linux-gnu/faketime/libfaketime.so.1"
  #if arch(arm64)
    private static let machine = "aarch64"
  #else
    private static let machine = "x86_64"
  #endif

  /// The start of a command line whose program has another wall clock. The boot clock stays correct.
  static let launcher = ["/usr/bin/env", "LD_PRELOAD=\(library)", "FAKETIME_DONT_FAKE_MONOTONIC=1"]
}
