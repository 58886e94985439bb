// A pasted mail link. Compiled into one module with MailLink.swift, QueryItems.swift and SignInLimits.swift of
// SignInFlows.

import AgentProtocol
import SystemSupport

private let place = "https://p.supabase.co/auth/v1/verify"

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLink(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let text = String(decoding: bytes, as: UTF8.self)
  do throws(AgentError) {
    let link = try MailLink(text, places: [place])
    let trimmed = text.drop { $0.isWhitespace || "\"'<`\u{201C}".contains($0) }
    precondition(trimmed.hasPrefix(place + "?"), "another place")
    precondition(!link.token.isEmpty && link.token.utf8.count <= 255, "a token of another length")
    precondition(
      link.token.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
          || byte == 0x2D
      }, "a token that could end a JSON string")
    // The description is the same for every token; a short token could be part of it by chance.
    let other = try MailLink(place + "?type=signup&token=0", places: [place])
    precondition("\(link)" == "\(other)", "a token in a description")
  } catch {
    precondition(error.kind == .invalidParams, "another kind")
    // A long part of the input would be part of a secret.
    let words = error.message + (error.data.hint ?? "")
    if bytes.count > 64 { precondition(!words.contains(text), "the link in an error") }
  }
  return 0
}
