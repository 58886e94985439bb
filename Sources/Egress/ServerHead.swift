import AgentConfiguration
import NIOCore
import SessionEngine
import SupabaseAuth
import SystemSupport

/// The head of a request as its server gets it.
extension EgressRequest {
  /// - Parameter host: the `Host` header of the server.
  func write(_ permit: EgressAccess.Permit, host: String, to out: inout ByteBuffer) {
    let isRealtime = isRealtime(permit)
    out.writeString(method)
    out.writeInteger(UInt8(ascii: " "))
    // The gateway takes Realtime's key from the query, because browsers can set no header; it has to be the project's.
    let target = permit.url.target
    out.writeString(isRealtime ? RealtimeKey.replaced(in: target, with: permit.project.settings.anonKey) : target)
    out.writeStaticString(" HTTP/1.1\r\n")
    let constant = permit.project.endpoint.headers
    writeFields(to: &out, without: constant.isEmpty ? [] : constant.map { $0.name.lowercased() })
    for header in constant { Self.add(header.name, header.value, to: &out) }
    Self.add("host", host, to: &out)
    if permit.url.isProject { Self.add("apikey", permit.project.settings.anonKey, to: &out) }
    // Realtime takes the token from `x-api-key`: twice, a large one would exceed the limits of servers.
    if isRealtime {
      Self.add("x-api-key", permit.token.exposed, to: &out)
    } else {
      out.writeStaticString("authorization: Bearer ")
      out.writeString(permit.token.exposed)
      out.writeLineEnd()
    }
    if isUpgrade {
      out.writeStaticString("connection: Upgrade\r\nupgrade: websocket\r\n")
    } else {
      addFraming(to: &out)
    }
    out.writeLineEnd()
  }

  private static func add(_ name: String, _ value: String, to out: inout ByteBuffer) {
    out.writeString(name)
    out.writeStaticString(": ")
    out.writeString(value)
    out.writeLineEnd()
  }

  private func addFraming(to out: inout ByteBuffer) {
    switch body {
    case .chunked: out.writeStaticString("transfer-encoding: chunked\r\n")
    case .length(let length): Self.add("content-length", String(length), to: &out)
    // Without a length, servers may wait for a body (RFC 9110, section 8.6).
    case .none where ["POST", "PUT", "PATCH"].contains(method): out.writeStaticString("content-length: 0\r\n")
    case .none, .untilClose: break
    }
  }

  private func isRealtime(_ permit: EgressAccess.Permit) -> Bool {
    isUpgrade && permit.url.isProject
      && permit.url.target.dropFirst(permit.project.basePath.count).hasPrefix("/realtime/")
  }
}

/// The key in the query of a Realtime connection. Pure.
enum RealtimeKey {
  /// Returns `target` with `key` as the only `apikey` of its query.
  static func replaced(in target: String, with key: String) -> String {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let others = parts.dropFirst().flatMap { $0.split(separator: "&") }.filter { !$0.hasPrefix("apikey=") }
    return parts[0] + "?" + (["apikey=\(PercentEncoding.encode(key))"] + others).joined(separator: "&")
  }
}
