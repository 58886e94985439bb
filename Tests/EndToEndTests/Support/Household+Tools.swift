import AuthSandbox
import Foundation
import TestKit

extension Household {
  /// SHA-256 in lowercase hex, by coreutils.
  nonisolated func sha256(_ text: String) async throws -> String {
    let output = try await RunningProgram(
      "/usr/bin/sha256sum", [], environment: environment, input: text, folder: folder
    ).end()
    return String(output.stdout.prefix(64))
  }

  /// Whether `GET /auth/v1/user` takes the token.
  nonisolated func serverTakes(_ token: String) async throws -> Bool {
    let output = try await RunningProgram(
      "/usr/bin/curl",
      [
        "-sS", "-o", "/dev/null", "-w", "%{http_code}", "-H", "apikey: \(sandbox.anonKey)", "-H",
        "Authorization: Bearer \(token)", sandbox.url + "/auth/v1/user",
      ], environment: environment, folder: folder
    ).end()
    return output.stdout == "200"
  }

  /// A refresh token that another client got for the same user.
  nonisolated func foreignRefreshToken() async throws -> String {
    let body = #"{"email":"\#(Household.email)","password":"\#(Household.password)"}"#
    let output = try await RunningProgram(
      "/usr/bin/curl",
      [
        "-sS", "-H", "apikey: \(sandbox.anonKey)", "-H", "Content-Type: application/json", "-d", body,
        sandbox.url + "/auth/v1/token?grant_type=password",
      ],
      environment: environment, folder: folder
    ).end()
    guard let token = try output.json()["refresh_token"] as? String else { throw Overdue(what: "a refresh token") }
    return token
  }

  /// Where the browser ends when it opens `url`: the address that a person copies.
  nonisolated func finalAddress(of url: String) async throws -> String {
    var next = url
    for _ in 0..<10 {
      let output = try await RunningProgram(
        "/usr/bin/curl", ["-sS", "-o", "/dev/null", "-w", "%{redirect_url}", next], environment: environment,
        folder: folder
      ).end()
      guard !output.stdout.isEmpty else { throw Overdue(what: "a redirect from \(next)") }
      next = output.stdout
      if !next.hasPrefix(sandbox.url) { return next }
    }
    throw Overdue(what: "the end of the redirects")
  }

  /// Writes another address into the configuration.
  nonisolated func rename(_ old: String, to new: String) throws {
    let file = environment["XDG_CONFIG_HOME", default: ""] + "/ritual-agent/config.toml"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try text.replacingOccurrences(of: old, with: new).write(toFile: file, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
  }

  /// Sends a consent page's form with `fields` beside its hidden ones, and follows the redirects.
  @discardableResult
  nonisolated func submit(_ form: ConsentForm, _ fields: [String: String] = [:]) async throws -> String {
    var arguments: [String] = []
    for (name, value) in form.hidden.merging(fields, uniquingKeysWith: { $1 }) {
      arguments += ["--data-urlencode", "\(name)=\(value)"]
    }
    let address = form.action.hasPrefix("http") ? form.action : sandbox.url + form.action
    return try await curl(arguments + [address])
  }

  /// What curl gets, all redirects followed, and a page's own refresh: one that says "signing in" is not the end.
  nonisolated func curl(_ arguments: [String]) async throws -> String {
    var arguments = arguments
    // One browser's cookies: a page that refreshes itself is the same window.
    let cookies = folder.path + "/cookies-" + UUID().uuidString
    while true {
      let output = try await RunningProgram(
        "/usr/bin/curl",
        ["-sS", "-L", "--max-time", "20", "-b", cookies, "-c", cookies, "-w", "\n%{url_effective}\n%header{refresh}"]
          + arguments, environment: environment, folder: folder
      ).end().stdout
      let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
      let (page, address, refresh) = (lines.dropLast(2), lines.dropLast().last, lines.last)
      guard let path = refresh?.split(separator: "url=", maxSplits: 1).dropFirst().first,
        let next = URL(string: String(path), relativeTo: address.flatMap { URL(string: String($0)) })
      else { return page.joined(separator: "\n") }
      arguments = [next.absoluteString]
    }
  }

  /// The address that `sign-in` prints for the browser.
  nonisolated func printedURL(of command: RunningProgram) async throws -> String {
    func found() -> String? {
      (command.stderr + command.stdout).split(whereSeparator: \.isWhitespace).map(String.init)
        .first { $0.hasPrefix("http://127.0.0.1") && $0.contains("/authorize") }
    }
    try await eventually("the address: \(command.stderr)") { found() != nil }
    return found() ?? ""
  }
}

/// The form of a consent page: where it goes, and its hidden fields.
struct ConsentForm {
  let action: String
  var hidden: [String: String] = [:]

  init(_ page: String) throws {
    guard let action = page.firstMatch(of: /action="([^"]+)"/) else { throw Overdue(what: "a form in \(page)") }
    self.action = String(action.1).replacingOccurrences(of: "&amp;", with: "&")
    for field in page.matches(of: /<input type="hidden" name="([^"]+)" value="([^"]*)"/) {
      hidden[String(field.1)] = String(field.2).replacingOccurrences(of: "&amp;", with: "&")
    }
  }
}
