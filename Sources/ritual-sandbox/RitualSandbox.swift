public import ArgumentParser
public import AuthSandbox
import Dispatch
import Glibc

/// `ritual-sandbox`: a stand-in for Supabase Auth on a loopback port, until SIGTERM or SIGINT.
@main
struct RitualSandbox: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ritual-sandbox",
    abstract: "Run a local Supabase Auth for tests, with simulated Google and Apple sign-in and a profile API.",
    usage: "ritual-sandbox [<options>]",
    discussion: """
      Prints one line of JSON when it is ready: {"url":…,"anonKey":…,"pid":…}. Supabase Auth is under /auth/v1 of that
      URL, the profile API at /api/v1/profile, and a self-describing control API at /sandbox.

      Examples:

        ritual-sandbox --user anna@example.org:secret
        # Tokens that expire after 20 s, on a fixed port
        ritual-sandbox --port 9999 --token-ttl 20
      """)

  @Option(help: "Port on 127.0.0.1; 0 chooses a free port.")
  var port = 0

  @Option(name: .customLong("token-ttl"), help: "Lifetime of access tokens, in seconds.")
  var tokenLifetime = 3600

  @Option(help: "Time in which a rotated refresh token can be used again, in seconds.")
  var reuseInterval = 10.0

  @Option(help: "Algorithm for refresh token rotation: v1 or v2.")
  var refreshAlgorithm = RefreshAlgorithm.v1

  @Option(help: "Algorithm for signing access tokens: ES256 or HS256.")
  var jwtAlgorithm = JWTAlgorithmName.es256

  @Flag(inversion: .prefixedNo, help: "Confirm sign-ups without an email.")
  var autoconfirm = true

  @Option(name: .customLong("user"), help: "Create a user, given as EMAIL:PASSWORD; may be repeated.")
  var users: [SeedUser] = []

  func validate() throws {
    guard (0...65535).contains(port) else { throw ValidationError("--port must be between 0 and 65535") }
    guard tokenLifetime > 0 else { throw ValidationError("--token-ttl must be at least 1") }
    guard reuseInterval >= 0 else { throw ValidationError("--reuse-interval must be at least 0") }
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
