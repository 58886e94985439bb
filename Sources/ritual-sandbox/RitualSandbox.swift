import AgentProtocol
public import ArgumentParser
public import AuthSandbox
import FoundationEssentials
import Glibc
import UnixSignals

/// `ritual-sandbox`: a substitute for Supabase Auth on a loopback port, until SIGTERM or SIGINT.
@main
struct RitualSandbox: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ritual-sandbox",
    abstract: "Run a local Supabase Auth for tests, with simulated providers and a profile API.",
    usage: "ritual-sandbox [<options>]",
    discussion: """
      Prints one line of JSON when it is ready: {"url":…,"anonKey":…,"pid":…}. Supabase Auth is under /auth/v1 of that \
      URL, the profile API at /api/v1/profile, and a self-describing control API at /sandbox.

      Examples:

        ritual-sandbox --user anna@example.org:secret
        # Tokens that expire after 20 s, on a fixed port
        ritual-sandbox --port 9999 --token-ttl 20
        # GitHub and a provider of the project itself, and single sign-on
        ritual-sandbox --provider github --provider custom:acme --sso example.org
        # Codes by text message, and a number with a fixed code
        ritual-sandbox --phone --test-phone +4915112345601=123456
      """,
    version: AgentVersion.current)

  @Option(help: "Port on 127.0.0.1; 0 chooses a free port.")
  var port = 0

  @Option(name: .customLong("token-ttl"), help: "Lifetime of access tokens, in seconds.")
  var tokenLifetime = 3600

  @Option(help: "Time during which a rotated refresh token can be reused, in seconds.")
  var reuseInterval = 10.0

  @Option(help: "Algorithm for refresh token rotation: v1 or v2.")
  var refreshAlgorithm = RefreshAlgorithm.v1

  @Option(help: "Algorithm for signing access tokens: ES256 or HS256.")
  var jwtAlgorithm = JWTAlgorithmName.es256

  @Flag(inversion: .prefixedNo, help: "Whether sign-ups are confirmed without an email.")
  var autoconfirm = true

  @Option(
    name: .customLong("provider"),
    help: ArgumentHelp("Enable another provider, such as github or custom:acme; may be repeated.", valueName: "name"))
  var providers: [String] = []

  @Flag(help: "Enable anonymous users.")
  var anonymous = false

  @Flag(help: "Enable codes by text message. GET /sandbox/mail shows them.")
  var phone = false

  @Option(
    name: .customLong("test-phone"),
    help: ArgumentHelp(
      "Enable text messages, with a phone number that has a fixed code; may be repeated.", valueName: "number=code"))
  var testPhones: [TestPhone] = []

  @Option(
    name: .customLong("sso"),
    help: ArgumentHelp("Enable single sign-on for an email domain; may be repeated.", valueName: "domain"))
  var domains: [String] = []

  @Flag(help: "Require a CAPTCHA. The accepted token is sandbox-captcha.")
  var captcha = false

  @Flag(help: "Allow identities to be linked and unlinked.")
  var manualLinking = false

  @Option(
    help: ArgumentHelp("Serve this HTML file as the project's own sign-in page at /sign-in-page.", valueName: "file"))
  var signInPage: String?

  @Option(name: .customLong("user"), help: "Create a user, given as EMAIL:PASSWORD; may be repeated.")
  var users: [SeedUser] = []

  func validate() throws {
    guard (0...65535).contains(port) else { throw ValidationError("--port must be between 0 and 65535") }
    guard tokenLifetime > 0 else { throw ValidationError("--token-ttl must be at least 1") }
    guard reuseInterval >= 0 else { throw ValidationError("--reuse-interval must be at least 0") }
  }

  static func main() async {
    do {
      var command = try parseAsRoot()
      if let sandbox = command as? Self { try await sandbox.run() } else { try command.run() }
    } catch {
      let status = exitCode(for: error)
      let text =
        status == .success
        ? ProgramText.help(fullMessage(for: error))
        : ProgramText.usageError(message(for: error), program: "ritual-sandbox")
      let output = Array("\(text)\n".utf8)
      _ = write(status == .success ? STDOUT_FILENO : STDERR_FILENO, output, output.count)
      Glibc.exit(status.rawValue)
    }
  }

  func run() async throws {
    // Installed before the start line reveals the pid, so that an immediate signal is handled.
    let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    var settings = SandboxSettings()
    settings.tokenLifetime = tokenLifetime
    settings.reuseInterval = reuseInterval
    settings.refreshAlgorithm = refreshAlgorithm
    settings.jwtAlgorithm = jwtAlgorithm
    settings.autoconfirm = autoconfirm
    settings.providers = providers.map { $0.lowercased() }
    settings.anonymousEnabled = anonymous
    settings.phoneEnabled = phone || !testPhones.isEmpty
    settings.testPhones = Dictionary(testPhones.map { ($0.number, $0.code) }, uniquingKeysWith: { $1 })
    settings.ssoDomains = domains.map { $0.lowercased() }
    settings.captcha = captcha ? .on : .off
    settings.manualLinking = manualLinking
    settings.signInPage = try signInPage.map(Self.page)
    let sandbox = try await AuthSandbox.start(settings, port: port)
    for user in users { sandbox.addUser(email: user.email, password: user.password) }
    // None of the values needs escaping.
    print(#"{"url":"\#(sandbox.url)","anonKey":"\#(sandbox.anonKey)","pid":\#(getpid())}"#)
    fflush(nil)
    for await _ in signals { break }
    await sandbox.stop()
  }

  private static func page(_ path: String) throws -> String {
    do {
      return try String(contentsOfFile: path, encoding: .utf8)
    } catch {
      throw ValidationError("cannot read the sign-in page \(path) as UTF-8 text")
    }
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

/// `NUMBER=CODE`.
struct TestPhone: ExpressibleByArgument {
  /// Digits without `+`.
  var number: String
  var code: String

  init?(argument: String) {
    let halves = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2, !halves[1].isEmpty, halves[1].allSatisfy(\.isWholeNumber) else { return nil }
    let digits = halves[0].filter { $0 != "+" && $0 != " " }
    guard !digits.isEmpty, digits.allSatisfy(\.isWholeNumber) else { return nil }
    (number, code) = (String(digits), String(halves[1]))
  }
}
