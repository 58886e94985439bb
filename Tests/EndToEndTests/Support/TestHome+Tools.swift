import AuthSandbox
import Foundation
import TestKit
import Testing

extension TestHome {
  /// Runs a program in the home's environment, with `more` variables, until it exits.
  nonisolated func run(
    _ program: String, _ arguments: [String] = [], more: [String: String] = [:], input: String? = nil
  ) async throws -> Output {
    try await RunningProgram(
      program, arguments, environment: environment.merging(more) { $1 }, input: input, folder: folder
    ).end()
  }

  /// The SHA-256 in lowercase hexadecimal, by coreutils.
  nonisolated func sha256(_ text: String) async throws -> String {
    try await String(run("/usr/bin/sha256sum", input: text).stdout.prefix(64))
  }

  /// True if `GET /auth/v1/user` accepts the token.
  nonisolated func serverTakes(_ token: String) async throws -> Bool {
    let output = try await run(
      "/usr/bin/curl",
      [
        "-sS", "-o", "/dev/null", "-w", "%{http_code}", "-H", "apikey: \(sandbox.anonKey)", "-H",
        "Authorization: Bearer \(token)", sandbox.url + "/auth/v1/user",
      ])
    return output.stdout == "200"
  }

  /// A refresh token that another client obtained for the same user.
  nonisolated func foreignRefreshToken() async throws -> String {
    let body = #"{"email":"\#(TestHome.email)","password":"\#(TestHome.password)"}"#
    let output = try await run(
      "/usr/bin/curl",
      [
        "-sS", "-H", "apikey: \(sandbox.anonKey)", "-H", "Content-Type: application/json", "-d", body,
        sandbox.url + "/auth/v1/token?grant_type=password",
      ])
    guard let token = try output.json()["refresh_token"] as? String else {
      throw ConditionTimeout(what: "a refresh token")
    }
    return token
  }

  /// The URL at which the browser ends after opening `url`, for a person to copy.
  nonisolated func finalAddress(of url: String) async throws -> String {
    var next = url
    for _ in 0..<10 {
      let output = try await run("/usr/bin/curl", ["-sS", "-o", "/dev/null", "-w", "%{redirect_url}", next])
      guard !output.stdout.isEmpty else { throw ConditionTimeout(what: "a redirect from \(next)") }
      next = output.stdout
      if !next.hasPrefix(sandbox.url) { return next }
    }
    throw ConditionTimeout(what: "the end of the redirects")
  }

  /// Copies a built program to another file, which is a different program to the policy.
  ///
  /// cp(1) writes the file. If this process wrote it, a program that another test starts at that
  /// moment would inherit the open descriptor, and the file could not be executed (ETXTBSY) while
  /// that program runs.
  nonisolated func copyProgram(_ name: String, to path: String) async throws {
    let copied = try await run("/bin/cp", [Programs.path(name), path])
    #expect(copied.status == 0, "\(copied.stderr)")
  }

  /// Submits a consent page's form with `fields` added to its hidden ones, and follows the
  /// redirects.
  @discardableResult
  nonisolated func submit(_ form: ConsentForm, _ fields: [String: String] = [:]) async throws -> String {
    var arguments: [String] = []
    for (name, value) in form.hidden.merging(fields, uniquingKeysWith: { $1 }) {
      arguments += ["--data-urlencode", "\(name)=\(value)"]
    }
    let address = form.action.hasPrefix("http") ? form.action : sandbox.url + form.action
    return try await curl(arguments + [address])
  }

  /// Runs curl, follows all redirects and page refreshes, and returns the last page.
  nonisolated func curl(_ arguments: [String]) async throws -> String {
    var arguments = arguments
    // A page that refreshes itself is the same browser window, with the same cookies.
    let cookies = folder.path + "/cookies-" + UUID().uuidString
    while true {
      let output = try await run(
        "/usr/bin/curl",
        ["-sS", "-L", "--max-time", "20", "-b", cookies, "-c", cookies, "-w", "\n%{url_effective}\n%header{refresh}"]
          + arguments
      ).stdout
      let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
      let (page, address, refresh) = (lines.dropLast(2), lines.dropLast().last, lines.last)
      guard let path = refresh?.split(separator: "url=", maxSplits: 1).dropFirst().first,
        let next = URL(string: String(path), relativeTo: address.flatMap { URL(string: String($0)) })
      else { return page.joined(separator: "\n") }
      arguments = [next.absoluteString]
    }
  }

  /// The URL that `sign-in` prints for the browser.
  nonisolated func printedURL(of command: RunningProgram) async throws -> String {
    func found() -> String? {
      (command.stderr + command.stdout).split(whereSeparator: \.isWhitespace).map(String.init)
        .first { $0.hasPrefix("http://127.0.0.1") && $0.contains("/authorize") }
    }
    try await eventually("the address: \(command.stderr)") { found() != nil }
    return found() ?? ""
  }
}

/// The form of a consent page: its action and its hidden fields.
struct ConsentForm {
  let action: String
  var hidden: [String: String] = [:]

  init(_ page: String) throws {
    guard let action = page.firstMatch(of: /action="([^"]+)"/) else {
      throw ConditionTimeout(what: "a form in \(page)")
    }
    self.action = String(action.1).replacingOccurrences(of: "&amp;", with: "&")
    for field in page.matches(of: /<input type="hidden" name="([^"]+)" value="([^"]*)"/) {
      hidden[String(field.1)] = String(field.2).replacingOccurrences(of: "&amp;", with: "&")
    }
  }
}
