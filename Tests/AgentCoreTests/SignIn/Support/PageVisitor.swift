import Synchronization
import TestKit
import Testing

@testable import AgentCore

/// A browser on the sign-in page of one flow. It keeps cookies and follows redirects within the
/// page.
final class PageVisitor: Sendable {
  /// The form of a password, filled in.
  static let signInForm = "email=anna%40example.org&password=secret"

  let port: Int
  let flow: String
  private let cookies = Mutex<[String: String]>([:])

  init(port: Int, flow: String = "") { (self.port, self.flow) = (port, flow) }

  var cookie: String { cookies.withLock { $0.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; ") } }

  /// Sends one request. `headers` overrides a browser's headers; an empty value omits a header.
  func request(
    _ target: String, method: String = "GET", headers: [String: String] = [:], body: String = ""
  ) async throws -> LoopbackClient.Reply {
    var all = ["Cookie": cookie, "Sec-Fetch-Site": "same-origin"]
    if method == "POST" {
      all["Origin"] = "http://127.0.0.1:\(port)"
      all["Content-Type"] = "application/x-www-form-urlencoded"
      all["Content-Length"] = "\(body.utf8.count)"
    }
    all.merge(headers) { $1 }
    let reply = try await LoopbackClient.get(port, target, method: method, headers: all, body: body)
    if let pair = reply.headers["set-cookie"]?.split(separator: ";").first?.split(separator: "=", maxSplits: 1) {
      cookies.withLock { $0[String(pair[0])] = String(pair[1]) }
    }
    return reply
  }

  func get(_ target: String) async throws -> LoopbackClient.Reply { try await follow(request(target)) }

  /// Submits the form and returns the page that it leads to.
  func submit(_ body: String, to path: String = "/sign-in/email") async throws -> LoopbackClient.Reply {
    try await follow(request(path, method: "POST", body: body))
  }

  /// Follows redirects, and the refresh of the progress page.
  private func follow(_ reply: LoopbackClient.Reply) async throws -> LoopbackClient.Reply {
    var reply = reply
    for _ in 0..<10 {
      let refresh = reply.headers["refresh"].flatMap { $0.hasPrefix("0; url=") ? String($0.dropFirst(7)) : nil }
      guard let next = reply.headers["location"] ?? refresh, next.hasPrefix("/") else { return reply }
      reply = try await request(next)
    }
    Issue.record("a loop of redirects")
    return reply
  }
}

extension SignInFixture {
  /// Starts a flow with the page and opens its launch URL.
  func visit(account: String? = nil, timeout: Double? = nil) async throws -> PageVisitor {
    let flow = try await start(nil, account: account, timeout: timeout)
    let visitor = PageVisitor(port: flow.port, flow: flow.id)
    let reply = try await visitor.request(flow.path)
    #expect(reply.status == 303)
    return visitor
  }
}

extension StartedFlow {
  /// The path of the launch URL.
  var path: String { LoopbackClient.place(of: url).target }
}
