import AgentProtocol
package import Glibc
package import SystemSupport
import WebURLs

/// The agent's configuration. A missing file is an empty configuration.
package struct Configuration: Sendable, Equatable {
  package var projects: [String: ProjectConfiguration] = [:]
  package var agent = AgentSettings()
  package var signIn = SignInConfiguration()
  package var vault = VaultConfiguration()
  package var audit = AuditConfiguration()
  /// `[[policy.rules]]`, in the order of the file.
  package var policy: [PolicyRule] = []

  package init() {}
}

/// `[agent]`
package struct AgentSettings: Sendable, Equatable {
  /// True if the first sign-in enables the service, so that the agent starts when the user logs in.
  package var enablesService = true

  package init() {}

  /// Applies the values of the file, which the schema has checked.
  mutating func take(_ values: [String: ConfigurationSchema.Literal]) {
    if case .boolean(let enables)? = values["autostart"] { enablesService = enables }
  }
}

/// `[audit]`
package struct AuditConfiguration: Sendable, Equatable {
  /// The number of days after which a file of the audit log is removed.
  package var keepDays = 90

  package init() {}

  /// Applies the values of the file, which the schema has checked.
  mutating func take(_ values: [String: ConfigurationSchema.Literal]) {
    if case .integer(let days)? = values["keep_days"] { keepDays = days }
  }
}

/// `[vault]`
package struct VaultConfiguration: Sendable, Equatable {
  /// The idle time in seconds after which the vault is locked; 0 means never.
  package var idleLockSeconds = 0
  /// True if locking the desktop session locks the vault.
  package var locksWithSession = false
  /// True if the service manager keeps a passphrase vault unlocked across a restart of the agent.
  package var staysUnlockedAcrossRestart = false

  package init() {}

  /// Idle time before locking; nil means never.
  package var idleTime: Duration? { idleLockSeconds > 0 ? .seconds(idleLockSeconds) : nil }

  /// Applies the values of the file, which the schema has checked.
  mutating func take(_ values: [String: ConfigurationSchema.Literal]) {
    if case .integer(let seconds)? = values["idle_lock"] { idleLockSeconds = seconds }
    if case .boolean(let locks)? = values["lock_with_session"] { locksWithSession = locks }
    if case .boolean(let stays)? = values["keep_unlocked_over_restart"] { staysUnlockedAcrossRestart = stays }
  }
}

/// `[sign_in]`
package struct SignInConfiguration: Sendable, Equatable {
  /// How the browser returns to the agent, unless the caller specifies it: `loopback`, `scheme` or
  /// `manual`.
  package var redirect: String
  /// The time in seconds after which a pending sign-in reports that no answer came.
  package var timeoutSeconds: Int
  /// The maximum number of attempts per hour with a password, and with a code, for an address.
  package var passwordAttemptsPerHour: Int
  /// True for `[linking] policy = "confirm"`: the user must confirm before a sign-in is merged into
  /// an account.
  package var confirmsLinks = false
  /// False for `mfa = "later"`: a sign-in does not ask for the second factor.
  package var asksForSecondFactor = true

  package init(redirect: String = "loopback", timeout: Int = 60, passwordAttemptsPerHour: Int = 10) {
    (self.redirect, self.timeoutSeconds, self.passwordAttemptsPerHour) = (redirect, timeout, passwordAttemptsPerHour)
  }

  /// Applies the values of the file, which the schema has checked.
  mutating func take(_ values: [String: ConfigurationSchema.Literal]) {
    if case .text(let redirect)? = values["redirect"] { self.redirect = redirect }
    if case .integer(let timeout)? = values["timeout"] { self.timeoutSeconds = timeout }
    if case .integer(let attempts)? = values["password_attempts_per_hour"] { passwordAttemptsPerHour = attempts }
    if case .text(let time)? = values["mfa"] { asksForSecondFactor = time == "ask" }
  }
}

extension Configuration {
  /// The maximum size of the file in bytes, enough for hundreds of projects with comments.
  package static let maxFileSize = 1 << 20

  /// Reads the file, which must be a regular file, or a symbolic link to one, that is owned by the
  /// user or root and that no one else can change. A missing file is an empty configuration.
  package static func load(path: String) throws(ConfigurationError) -> Configuration {
    guard let file = try OpenConfigurationFile(path) else { return Configuration() }
    defer { file.close() }
    return try parse(try text(of: try file.read(upTo: maxFileSize), file: path), file: path)
  }

  /// Decodes the bytes of a file.
  ///
  /// - Throws: An error with the position if the bytes are not UTF-8.
  package static func text(of bytes: [UInt8], file: String) throws(ConfigurationError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ConfigurationError(.syntax, file: file, at: firstInvalid(bytes), "the file is not UTF-8")
    }
    return text
  }

  /// Parses `text`; `file` is the name used in errors. Any text is either parsed or rejected.
  package static func parse(
    _ text: String, file: String, inUserNamespace: Bool = UserNamespace.isOwn
  ) throws(ConfigurationError) -> Configuration {
    try ConfigurationReader(file: file, inUserNamespace: inUserNamespace).read(try table(of: text, file: file))
  }

  static func table(of text: String, file: String) throws(ConfigurationError) -> TOMLTable {
    guard text.utf8.count <= maxFileSize else {
      throw ConfigurationError(.unreadable, file: file, "is larger than 1 MiB")
    }
    do throws(TOMLError) {
      return try TOMLParser.parse(text)
    } catch {
      throw ConfigurationError(.syntax, file: file, at: error.position, error.message)
    }
  }

  /// Returns the position after the longest valid UTF-8 prefix: about where the repaired text
  /// differs from the input.
  private static func firstInvalid(_ bytes: [UInt8]) -> TextPosition {
    let repaired = String(decoding: bytes, as: UTF8.self).utf8
    var prefix = bytes.prefix(zip(bytes, repaired).prefix { $0 == $1 }.count)
    // The invalid bytes may begin like the replacement character.
    while String(validating: prefix, as: UTF8.self) == nil { prefix.removeLast() }
    var cursor = TextCursor(String(decoding: prefix, as: UTF8.self))
    cursor.skipToEnd()
    return cursor.position
  }
}

/// The rule for a configuration file in the agent, `init` and `doctor`: a regular file, owned by
/// the user or root, that no one else can write. Others may read it, because it contains no secret.
package enum ConfigurationFileRule {
  /// Returns why a file is refused, with the remedy; nil if the file can be used.
  package static func refusalReason(about status: stat, path: String) -> String? {
    guard status.st_mode & S_IFMT == S_IFREG else { return "is not a regular file" }
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      return "belongs to uid \(status.st_uid), who could change it: use your own copy"
    }
    guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
      return "is writable by other users: chmod go-w \(ForeignText.shown(path))"
    }
    return nil
  }
}

/// The configuration file, open and checked.
private struct OpenConfigurationFile {
  private let descriptor: Int32
  private let path: String

  /// Opens and checks the file; nil if it does not exist.
  init?(
    _ path: String, rule: (stat, String) -> String? = ConfigurationFileRule.refusalReason
  ) throws(ConfigurationError) {
    self.path = path
    // Without O_NONBLOCK, opening a FIFO would wait for a writer.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let number = errno
      var status = stat()
      if number == ENOENT, lstat(path, &status) != 0 { return nil }
      throw ConfigurationError(.unreadable, file: path, "cannot be read: \(errorDescription(number))")
    }
    do throws(ConfigurationError) {
      try check(rule)
    } catch {
      close()
      throw error
    }
  }

  private func check(_ rule: (stat, String) -> String?) throws(ConfigurationError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw ConfigurationError(.unreadable, file: path, "cannot be examined: \(errorDescription(errno))")
    }
    if let complaint = rule(status, path) {
      throw ConfigurationError(.insecure, file: path, complaint)
    }
  }

  func read(upTo limit: Int) throws(ConfigurationError) -> [UInt8] {
    let bytes: [UInt8]
    do { bytes = try Descriptor.readAll(descriptor, limit: limit) } catch {
      throw ConfigurationError(.unreadable, file: path, "cannot be read: \(errorDescription(error.errno))")
    }
    guard bytes.count <= limit else {
      let words = limit >= 1 << 20 ? "\(limit >> 20) MiB" : "\(limit >> 10) KiB"
      throw ConfigurationError(.unreadable, file: path, "is larger than \(words)")
    }
    return bytes
  }

  func close() { _ = Glibc.close(descriptor) }
}

/// `[projects.NAME]`. The description omits the anon key, which is not secret but useless in a log.
package struct ProjectConfiguration: Sendable, Equatable {
  package var url: String
  package var anonKey: String
  /// The origin of the project's own API, as opposed to Supabase's.
  package var apiURL: String?
  /// True if paths on the API's origin may contain `%2F`.
  package var apiEncodedSlashes = false
  /// The path of the profile on the project's own API.
  package var profilePath = "/api/v1/profile"
  /// True if the file names an API of the project's own, or the profile's path. Otherwise the project may have
  /// no profile API, as most Supabase projects.
  package var declaresProfileAPI = false
  /// A PEM file of additional trusted certificates.
  package var caFile: String?
  /// True to trust only the certificates in `caFile`.
  package var onlyThisCA = false
  /// `http://host:port` or `socks5://host:port`.
  package var proxy: String?
  /// The file with user name and password for the proxy.
  package var proxyPasswordFile: String?
  /// The file with headers that each request to the project's servers has.
  package var headersFile: String?
  /// The content of `proxyPasswordFile`, once it was read.
  package private(set) var proxyPassword: ProxyPassword?
  /// The content of `headersFile`, once it was read.
  package private(set) var headers: [ConstantHeader] = []
  /// The URL scheme of the redirect, as in `dailyritual://auth-callback`.
  package var redirectScheme = "dailyritual"
  /// The project's own sign-in page, which replaces the agent's.
  package var signInPage: String?
  /// The project's own page for a forgotten password.
  package var passwordResetPage: String?
  /// The project's time limit for sessions in seconds, after which a session ends.
  package var sessionLimit: Int?

  package init(url: String, anonKey: String) { (self.url, self.anonKey) = (url, anonKey) }
}

extension ProjectConfiguration: Redacted {
  package var description: String { "ProjectConfiguration(\(url))" }
}

extension ProjectConfiguration {
  /// Creates a project from the values of the file; nil if `url` or `anon_key` is missing.
  init?(_ values: [String: ConfigurationSchema.Literal]) {
    func text(_ key: String) -> String? {
      if case .text(let text)? = values[key] { text } else { nil }
    }
    guard let url = text("url"), let anonKey = text("anon_key") else { return nil }
    self.init(url: url, anonKey: anonKey)
    apiURL = text("api_url")
    if case .boolean(let allowed)? = values["api_encoded_slashes"] { apiEncodedSlashes = allowed }
    profilePath = text("profile_path") ?? profilePath
    declaresProfileAPI = apiURL != nil || text("profile_path") != nil
    caFile = text("ca_file")
    if case .boolean(let only)? = values["only_this_ca"] { onlyThisCA = only }
    proxy = text("proxy")
    proxyPasswordFile = text("proxy_password_file")
    headersFile = text("headers_file")
    redirectScheme = text("redirect_scheme") ?? redirectScheme
    signInPage = text("sign_in_page")
    passwordResetPage = text("password_reset_page")
    if case .integer(let limit)? = values["session_limit"] { sessionLimit = limit }
  }
}

extension Configuration {
  /// Reads the file with the secrets of its projects, as the agent does. They are in files of their own, because
  /// others may read the configuration.
  package static func loadWithSecrets(path: String) throws(ConfigurationError) -> Configuration {
    var configuration = try load(path: path)
    for name in configuration.projects.keys.sorted() {
      try configuration.projects[name]?.readSecrets(beside: path)
    }
    return configuration
  }
}

extension ProjectConfiguration {
  /// Maximum bytes of a file with secrets: some headers with long tokens.
  private static let maxSecretSize = 16 * 1024
  /// Maximum headers that are added to each request: a gate takes two.
  private static let maxHeaders = 16

  fileprivate mutating func readSecrets(beside configuration: String) throws(ConfigurationError) {
    if let (text, file) = try Self.secret(proxyPasswordFile, beside: configuration) {
      guard let password = ProxyPassword(text) else {
        throw ConfigurationError(.badValue, file: file, "expected one line: USER:PASSWORD")
      }
      proxyPassword = password
    }
    if let (text, file) = try Self.secret(headersFile, beside: configuration) {
      headers = try Self.headers(text, file)
    }
  }

  private static func headers(_ text: String, _ file: String) throws(ConfigurationError) -> [ConstantHeader] {
    var headers: [ConstantHeader] = []
    // A line end of Windows is one character.
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() where !line.isEmpty && line.first != "#" {
      let place = TextPosition(line: index + 1, column: 1)
      guard let header = ConstantHeader(line: line), !ReservedHeader.contains(header.name) else {
        throw ConfigurationError(
          .badValue, file: file, at: place, "expected Name: value, with a header that the agent does not set itself")
      }
      headers.append(header)
      guard headers.count <= maxHeaders else {
        throw ConfigurationError(.badValue, file: file, at: place, "too many headers (limit: \(maxHeaders))")
      }
    }
    return headers
  }

  /// The text of a file that only the user can read, and its path. It has to be in the directory of the
  /// configuration, the only one of the user that the agent sees as a service.
  private static func secret(
    _ name: String?, beside configuration: String
  ) throws(ConfigurationError) -> (text: String, file: String)? {
    guard let name else { return nil }
    let directory = directory(of: configuration)
    let path = name.utf8.first == UInt8(ascii: "/") ? name : directory + "/" + name
    guard isBelow(Self.directory(of: path), directory) else {
      throw ConfigurationError(.badValue, file: path, "must be in the directory of the configuration, \(directory)")
    }
    guard let file = try OpenConfigurationFile(path, rule: secretRefusal) else {
      throw ConfigurationError(.unreadable, file: path, "does not exist")
    }
    defer { file.close() }
    return (try Configuration.text(of: try file.read(upTo: maxSecretSize), file: path), path)
  }

  private static func directory(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func isBelow(_ directory: String, _ other: String) -> Bool {
    guard let inner = realpath(directory, nil), let outer = realpath(other, nil) else {
      // The file cannot be opened either, which says more.
      return true
    }
    defer {
      free(inner)
      free(outer)
    }
    return (String(cString: inner) + "/").hasPrefix(String(cString: outer) + "/")
  }

  private static func secretRefusal(_ status: stat, _ path: String) -> String? {
    if let reason = ConfigurationFileRule.refusalReason(about: status, path: path) { return reason }
    guard status.st_mode & (S_IRWXG | S_IRWXO) == 0 else {
      return "can be read by other users: chmod 600 \(ForeignText.shown(path))"
    }
    return nil
  }
}
