import Foundation
import TestKit
import Testing

extension TestHome {
  /// The file that records a manual lock.
  nonisolated var manualLockFile: String {
    environment["XDG_STATE_HOME", default: ""] + "/ritual-agent/locked-by-hand"
  }

  nonisolated var configurationFile: String { folder.path + "/config/ritual-agent/config.toml" }

  nonisolated func editConfiguration(_ change: (inout String) throws -> Void) throws {
    var text = try String(contentsOfFile: configurationFile, encoding: .utf8)
    try change(&text)
    try text.write(toFile: configurationFile, atomically: false, encoding: .utf8)
  }

  /// Changes the configuration and restarts the agent.
  func reconfigure(_ change: (inout String) -> Void) async throws {
    await stopAgent()
    try editConfiguration(change)
    try await startAgent()
  }

  /// Appends text to the configuration.
  nonisolated func append(_ text: String) throws { try editConfiguration { $0 += text } }

  /// Replaces a string in the configuration.
  nonisolated func rename(_ old: String, to new: String) throws {
    try editConfiguration { $0.replace(old, with: new) }
  }

  /// Sets the project's `api_url`, or removes it.
  nonisolated func setAPI(_ url: String?) async throws {
    try editConfiguration { text in
      var lines = text.split(separator: "\n").map(String.init)
      lines.removeAll { $0.hasPrefix("api_url") }
      let index = try #require(lines.firstIndex { $0.hasPrefix("url = ") })
      if let url { lines.insert("api_url = \"\(url)\"", at: index + 1) }
      text = lines.joined(separator: "\n") + "\n"
    }
    try await reload()
  }

  /// Makes the agent reload the configuration.
  nonisolated func reload() async throws {
    let tool = try SocketTool(socket)
    try tool.send(#"{"jsonrpc":"2.0","id":1,"method":"agent.reload","params":{}}"#)
    let answer = try await tool.line()
    #expect(answer.contains("result"), "\(answer)")
  }
}

/// An account in `ritualctl status --json`, with the members that tests need.
struct AccountReport: Decodable {
  struct Refresh: Decodable {
    var nextAt: String?
    var attempts: Int
    var clockSkew: Int?
  }

  struct Ended: Decodable { var reason: String }
  struct User: Decodable { var email: String? }

  var name: String
  var state: String
  var refresh: Refresh?
  var ended: Ended?
  var user: User?
}

/// The output of `ritualctl status --json`.
struct StatusReport: Decodable {
  var accounts: [AccountReport]
  var health: [String]
}

extension TestHome {
  nonisolated func report() async throws -> StatusReport {
    try JSONDecoder().decode(StatusReport.self, from: Data(try await ctl("status", "--json").stdout.utf8))
  }

  nonisolated func accountStatus(_ name: String) async throws -> AccountReport {
    guard let account = try await report().accounts.first(where: { $0.name == name }) else {
      throw CocoaError(.keyValueValidation)
    }
    return account
  }
}
