import ArgumentParser

/// How `token` prints a token.
enum TokenFormat: String, ExpressibleByArgument, CaseIterable {
  case raw, header, env, json, curl

  /// The token in this form; `json` is a document and not made here.
  func text(_ token: String) -> String {
    switch self {
    case .raw, .json: token
    case .header: "Authorization: Bearer \(token)"
    case .env: "export RITUAL_ACCESS_TOKEN=\(Quoted.shell(token))"
    case .curl: "header = \(Quoted.curl("Authorization: Bearer \(token)"))"
    }
  }

  /// A token is visible ASCII (RFC 6750, section 2.1): a newline would begin another header, another shell command.
  static func check(_ token: String) throws {
    guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Failure(.failed, "the server's access token has characters that no token may have")
    }
  }
}

/// Text as a part of other languages.
enum Quoted {
  /// One word of a POSIX shell (Shell Command Language, 2.2.2).
  static func shell(_ text: String) -> String {
    "'" + text.unicodeScalars.map { $0 == "'" ? #"'\''"# : String($0) }.joined() + "'"
  }

  /// A quoted value in a configuration file of curl (curl(1), --config).
  static func curl(_ text: String) -> String {
    "\"" + text.unicodeScalars.map { $0 == "\\" || $0 == "\"" ? "\\\($0)" : String($0) }.joined() + "\""
  }
}
