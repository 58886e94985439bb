import Synchronization
import TestKit
import Testing

@testable import AgentCore

/// A browser at the sign-in page of one flow: keeps its cookies, and follows redirects that stay there.
final class PageVisitor: Sendable {
  let port: Int
  let flow: String
  private let cookies = Mutex<[String: String]>([:])

  init(port: Int, flow: String = "") { (self.port, self.flow) = (port, flow) }

  var cookie: String { cookies.withLock { $0.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; ") } }

  /// One request. What `headers` names replaces what a browser sends; an empty value leaves one out.
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

  /// Sends the form, and waits for the page that it ends on.
  func submit(_ body: String, to path: String = "/sign-in/email") async throws -> LoopbackClient.Reply {
    try await follow(request(path, method: "POST", body: body))
  }

  /// Redirects, and the refresh of the page that shows progress.
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
  /// Begins a flow with the page, and opens its launch address.
  func visit(account: String? = nil) async throws -> PageVisitor {
    let flow = try await start(nil, account: account)
    let visitor = PageVisitor(port: flow.port, flow: flow.id)
    let reply = try await visitor.request(flow.path)
    #expect(reply.status == 303)
    return visitor
  }
}

extension StartedFlow {
  /// The path of the launch address.
  var path: String { "/" + url.split(separator: "/", maxSplits: 2).last! }
}
