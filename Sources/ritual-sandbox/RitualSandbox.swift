public import ArgumentParser
public import AuthSandbox
import Dispatch
import Glibc

/// `ritual-sandbox`: a stand-in for Supabase Auth on a loopback port, until SIGTERM or SIGINT.
@main
struct RitualSandbox: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ritual-sandbox",
    abstract: "A stand-in for Supabase Auth, with Google and Apple look-alikes and the profile API.",
    discussion: """
      Prints one line of JSON when it listens: {"url":…,"anonKey":…,"pid":…}. Supabase Auth is under /auth/v1 of that
      address, the profile API at /api/v1/profile, and a control API that describes itself at /sandbox.
      """)

  @Option(help: "The port on 127.0.0.1; 0 takes a free one.")
  var port = 0

  @Option(name: .customLong("token-ttl"), help: "Life of an access token in seconds.")
  var tokenLifetime = 3600

  @Option(help: "Seconds for which a rotated refresh token may be used again.")
  var reuseInterval = 10.0

  @Option(help: "How refresh tokens rotate: v1 or v2.")
  var refreshAlgorithm = RefreshAlgorithm.v1

  @Option(help: "What signs access tokens: ES256 or HS256.")
  var jwtAlgorithm = JWTAlgorithmName.es256

  @Flag(inversion: .prefixedNo, help: "Whether a sign-up needs no confirmation by mail.")
  var autoconfirm = true

  @Option(name: .customLong("user"), help: "A user to begin with, EMAIL:PASSWORD. May be given more than once.")
  var users: [SeedUser] = []

  func validate() throws {
    guard (0...65535).contains(port) else { throw ValidationError("--port is between 0 and 65535") }
    guard tokenLifetime > 0 else { throw ValidationError("--token-ttl is at least 1") }
    guard reuseInterval >= 0 else { throw ValidationError("--reuse-interval is at least 0") }
  }

  func run() async throws {
    // Installed before the start line reveals the pid, so that an immediate signal is handled.
    let ending = TerminationSignals()
    var settings = SandboxSettings()
    settings.tokenLifetime = tokenLifetime
    settings.reuseInterval = reuseInterval
    settings.refreshAlgorithm = refreshAlgorithm
    settings.jwtAlgorithm = jwtAlgorithm
    settings.autoconfirm = autoconfirm
    let sandbox = try await AuthSandbox.start(settings, port: port)
    for user in users { sandbox.addUser(email: user.email, password: user.password) }
    StartLine(sandbox: sandbox).write()
    await ending.wait()
    await sandbox.stop()
  }
}

extension RefreshAlgorithm: ExpressibleByArgument {}

extension JWTAlgorithmName: ExpressibleByArgument {}

/// `EMAIL:PASSWORD`. The password may contain colons. Sandbox passwords are invented, not secrets.
struct SeedUser: ExpressibleByArgument {
  var email: String
  var password: String

  init?(argument: String) {
    let halves = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2, halves[0].contains("@"), !halves[1].isEmpty else { return nil }
    (email, password) = (String(halves[0]), String(halves[1]))
  }
}

/// The line of JSON that reports the sandbox's URL, key and pid. None of these values needs
/// escaping.
struct StartLine {
  let sandbox: AuthSandbox

  func write() {
    let line = #"{"url":"\#(sandbox.url)","anonKey":"\#(sandbox.anonKey)","pid":\#(getpid())}"# + "\n"
    var rest = Array(line.utf8)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      // The sandbox is useful even if nothing reads its output.
      guard written > 0 else { return }
      rest = rest.dropFirst(written)
    }
  }
}

/// SIGTERM and SIGINT as an event to await.
struct TerminationSignals {
  private let sources: [any DispatchSourceSignal]
  private let arrivals: AsyncStream<Void>

  init() {
    let (arrivals, arrival) = AsyncStream<Void>.makeStream()
    self.arrivals = arrivals
    sources = [SIGTERM, SIGINT].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { arrival.yield() }
      source.resume()
      return source
    }
  }

  /// Returns at the first signal.
  func wait() async {
    for await _ in arrivals { return }
  }
}
