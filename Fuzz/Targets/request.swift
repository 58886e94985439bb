// The head of a request to the egress proxy, behind the parser. Compiled into one module with
// EgressRequest.swift, EgressProblem.swift, APIHeaders.swift and ClientURL.swift of Egress.

import AgentProtocol
import NIOHTTP1

/// Headers that no accepted request carries on (EG-2), in any spelling that a gateway could read.
private let forbidden: Set<String> = [
  "apikey", "x-api-key", "authorization", "cookie", "forwarded", "host", "connection", "keep-alive", "te", "trailer",
  "transfer-encoding", "content-length", "upgrade", "expect", "x-http-method-override", "ritual-account",
]

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRequest(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  let words = lines[0].split(separator: " ", omittingEmptySubsequences: false).map(String.init)
  guard words.count == 2 else { return 0 }
  var head = HTTPRequestHead(version: .http1_1, method: HTTPMethod(rawValue: words[0]), uri: words[1])
  for line in lines.dropFirst() {
    let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    // The parser passes on only names of visible ASCII, and values without control characters.
    guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      parts[1].utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { continue }
    head.headers.add(name: parts[0], value: String(parts[1].drop { $0 == " " }))
  }
  do throws(EgressProblem) {
    check(try EgressRequest(checked: head), head)
  } catch {
    precondition((400...599).contains(error.status.code) && error.status != .unauthorized, "another status")
    let headers = error.headers(length: error.body.count)
    precondition(headers["proxy-status"].count == 1, "not marked")
    precondition(headers.allSatisfy { $0.value.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }, "a header of the client")
  }
  return 0
}

private func check(_ request: EgressRequest, _ head: HTTPRequestHead) {
  precondition(request.target.hasPrefix("/"), "no path")
  // A URL without a path stands for the root.
  precondition(head.uri.hasSuffix(request.target) || head.uri.hasSuffix(request.target.dropFirst()), "another path")
  precondition(request.account.map(AccountName.isValid) ?? true, "no account name")
  precondition(!["CONNECT", "TRACE"].contains(request.method.rawValue), "a tunnel")
  for (name, _) in request.headers {
    let known = name.lowercased().replacing("_", with: "-")
    precondition(!forbidden.contains(known) && !known.hasPrefix("x-forwarded-") && !known.hasPrefix("proxy-"), name)
  }
  let isFramed = head.headers.contains(name: "content-length") || head.headers.contains(name: "transfer-encoding")
  precondition((request.body == .none) != isFramed, "another framing")
  precondition(head.headers["host"].count == 1, "no host, or two")
  precondition(!request.isUpgrade || request.body == .none, "an upgrade with a body")
}
