import NIOCore

/// The header fields of an answer for the client of the proxy. Pure.
enum APIHeaders {
  /// Writes the fields of `head`, without those that end at the proxy. Framing is the proxy's.
  static func writeAnswer(_ head: HTTPHead, to out: inout ByteBuffer, _ urls: () -> ClientURL) {
    let options = head.contains(.connection) ? Set(head.list(.connection)) : []
    // The client of a resumable upload sends its requests, and its placeholder token, to the Location.
    let isUpload = head.contains(.tusResumable)
    head.write(to: &out) { field in
      !field.endsHere && !isRewritten(field.known)
        && (options.isEmpty || !options.contains(head.text(field.name).lowercased()))
    }
    for field in head.fields where isRewritten(field.known) {
      let value = head.text(field.value)
      guard !isUpload || field.known != .location || !urls().leadsAway(value) else { continue }
      out.writeString(head.text(field.name))
      out.writeStaticString(": ")
      out.writeString(field.known == .link ? urls().rewrittenLinks(value) : urls().rewritten(value))
      out.writeLineEnd()
    }
  }

  private static func isRewritten(_ field: KnownField) -> Bool {
    field == .location || field == .contentLocation || field == .link
  }
}
