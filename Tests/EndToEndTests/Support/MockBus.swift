import Foundation
import Glibc
import TestKit

/// A private system bus with a scripted logind (python-dbusmock).
final class MockBus: Sendable {
  let address: String
  private let folder: URL
  private let bus: RunningProgram
  private let login: RunningProgram

  private static let service = "org.freedesktop.login1"
  private static let manager = "/org/freedesktop/login1"
  static let session = "/org/freedesktop/login1/session/c1"

  /// True if this machine has the required programs.
  static let isPossible =
    access("/usr/bin/dbus-daemon", X_OK) == 0 && access("/usr/lib/python3/dist-packages/dbusmock", R_OK) == 0

  /// The address of a bus in `folder`, which need not exist yet.
  static func address(in folder: URL) -> String { "unix:path=" + folder.path + "/system_bus_socket" }

  init(in folder: URL) async throws {
    self.folder = folder
    let address = Self.address(in: folder)
    self.address = address
    let environment = ["DBUS_SYSTEM_BUS_ADDRESS": address, "PATH": "/usr/bin:/bin", "HOME": folder.path]
    let bus = try RunningProgram(
      "/usr/bin/dbus-daemon", ["--session", "--nofork", "--nopidfile", "--address=" + address],
      environment: environment, folder: folder)
    self.bus = bus
    try await eventually("the bus: \(bus.stderr)") { canConnect(to: folder.path + "/system_bus_socket") }
    let login = try RunningProgram(
      "/usr/bin/python3", ["-m", "dbusmock", "--system", "--template", "logind"], environment: environment,
      folder: folder)
    self.login = login
    try await eventually("logind: \(login.stderr)") {
      try await call("ListSessions").status == 0
    }
    try await mock("AddSession", "ssusb", "c1", "seat0", "\(geteuid())", "somebody", "true")
    try await mock(
      "EmitSignal", "sssav", Self.service + ".Manager", "SessionNew", "so", "2", "s", "c1", "o", Self.session)
  }

  func stop() async {
    await login.stop()
    await bus.stop()
  }

  /// Calls a method of the manager, or of the session.
  @discardableResult
  func call(_ member: String, _ arguments: String..., session: Bool = false) async throws -> Output {
    let (path, interface) =
      session ? (Self.session, Self.service + ".Session") : (Self.manager, Self.service + ".Manager")
    return try await busctl(["call", Self.service, path, interface, member] + arguments)
  }

  /// Makes logind announce that the machine is about to sleep, or that it woke up.
  func announceSleep(_ begins: Bool) async throws {
    try await mock("EmitSignal", "sssav", Self.service + ".Manager", "PrepareForSleep", "b", "1", "b", "\(begins)")
  }

  /// The inhibitors that delay a sleep.
  func inhibitors() async throws -> String { try await call("ListInhibitors").stdout }

  private func mock(_ member: String, _ arguments: String...) async throws {
    let output = try await busctl(
      ["call", Self.service, Self.manager, "org.freedesktop.DBus.Mock", member] + arguments)
    guard output.status == 0 else { throw ConditionTimeout(what: "\(member): \(output.stderr)") }
  }

  private func busctl(_ arguments: [String]) async throws -> Output {
    try await RunningProgram(
      "/usr/bin/busctl", ["--address=" + address] + arguments, environment: ["PATH": "/usr/bin:/bin"], folder: folder
    ).end()
  }
}
