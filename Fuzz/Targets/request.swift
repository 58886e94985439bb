// The messages of clients and of servers as they reach the egress proxy. Compiled into one module with the files of
// Egress that script/fuzz names.

import AgentProtocol
import NIOCore
import NIOHTTP1

/// Headers that no accepted request carries on (EG-2), in any spelling that a gateway could read.
private let forbidden: Set<String> = [
  "apikey", "x-api-key", "authorization", "cookie", "forwarded", "host", "connection", "keep-alive", "te", "trailer",
  "transfer-encoding", "content-length", "upgrade", "expect", "x-http-method-override", "ritual-account",
]

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRequest(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = ByteBuffer(bytes: UnsafeBufferPointer(start: start, count: count))
  asRequest(bytes)
  asAnswer(bytes)
  for size in [1, 7, max(1, count)] {
    precondition(body(bytes, size) == body(bytes, 1), "the body depends on its pieces")
  }
  return 0
}

private func asRequest(_ bytes: ByteBuffer) {
  var unread = bytes
  let head: HTTPHead
  do throws(HTTPFault) {
    guard let whole = try HTTPHead.take(.request, from: &unread) else {
      return precondition(unread == bytes, "bytes of an unfinished head are gone")
    }
    head = whole
  } catch {
    return check(EgressProblem(error))
  }
  do throws(EgressProblem) { check(try EgressRequest(checked: head), head) } catch { check(error) }
}

private func check(_ problem: EgressProblem) {
  precondition((400...599).contains(problem.status.code) && problem.status != .unauthorized, "another status")
  var answer = ByteBuffer()
  problem.write(to: &answer, isHead: false)
  guard let head = try? HTTPHead.take(.answer, from: &answer) else { fatalError("the answer is no HTTP") }
  precondition(head.values(.contentLength) == ["\(answer.readableBytes)"], "another length")
  let headers = problem.headers(length: 0)
  precondition(headers.count { $0.name == "proxy-status" } == 1, "not marked")
  precondition(headers.allSatisfy { $0.value.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }, "a header of the client")
}

private func check(_ request: EgressRequest, _ head: HTTPHead) {
  precondition(request.target.hasPrefix("/"), "no path")
  // A URL without a path stands for the root.
  let isSame = head.target.hasSuffix(request.target) || head.target.hasSuffix(request.target.dropFirst())
  precondition(isSame, "another path")
  precondition(request.account.map(AccountName.isValid) ?? true, "no account name")
  precondition(!["CONNECT", "TRACE"].contains(request.method), "a tunnel")
  // What the server gets is a head by the same grammar, with the same fields.
  var sent = ByteBuffer(string: "\(request.method) \(request.target) HTTP/1.1\r\n")
  request.writeFields(to: &sent, without: [])
  sent.writeLineEnd()
  guard let again = try? HTTPHead.take(.request, from: &sent) else { fatalError("another grammar") }
  precondition(sent.readableBytes == 0, "bytes behind the head")
  let own = Set(head.fields.map { head.text($0.line) })
  for field in again.fields {
    let name = again.text(field.name).lowercased().replacing("_", with: "-")
    precondition(!forbidden.contains(name) && !name.hasPrefix("x-forwarded-") && !name.hasPrefix("proxy-"), name)
    precondition(own.contains(again.text(field.line)), "another field")
  }
  let isFramed = head.contains(.contentLength) || head.contains(.transferEncoding)
  precondition((request.body == .none) != isFramed, "another framing")
  precondition(head.values(.host).count == 1, "no host, or two")
  precondition(!request.isUpgrade || request.body == .none, "an upgrade with a body")
}

private func asAnswer(_ bytes: ByteBuffer) {
  var unread = bytes
  guard let head = try? HTTPHead.take(.answer, from: &unread) else { return }
  precondition((100...999).contains(head.status), "no status")
  var answer = ByteBuffer(string: "HTTP/1.1 200 OK\r\n")
  APIHeaders.writeAnswer(head, to: &answer) {
    ClientURL(
      project: "https://p.supabase.co", api: "https://a.test", basePath: "", request: ("https://a.test", "/x"),
      host: "localhost")
  }
  answer.writeLineEnd()
  guard let again = try? HTTPHead.take(.answer, from: &answer) else { fatalError("another grammar") }
  precondition(answer.readableBytes == 0, "bytes behind the head")
  precondition(!again.fields.contains(where: \.endsHere), "a field of the connection")
}

/// The body and the rest, of chunks that arrive in pieces; nil for an error.
private func body(_ bytes: ByteBuffer, _ size: Int) -> [String]? {
  var (reader, all, unread, body) = (HTTPBodyReader(.chunked), bytes, ByteBuffer(), ByteBuffer())
  while let piece = all.readSlice(length: min(size, all.readableBytes)), piece.readableBytes > 0 {
    unread.append(piece)
    while !reader.isEnded {
      guard let piece = try? reader.take(from: &unread) else { return nil }
      guard piece.readableBytes > 0 else { break }
      body.writeImmutableBuffer(piece)
    }
  }
  return [String(buffer: body), String(buffer: unread), "\(reader.isEnded)"]
}
