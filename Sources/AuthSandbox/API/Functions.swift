/// `/functions/v1/NAME`: Edge Functions behind the check of the token (`verify_jwt`), which accepts the
/// public key, too.
extension Backend {
  /// Runs a function. Names: `echo`, `sse`, `bytes`, `unauthorized`.
  func runFunction(_ request: Incoming) throws -> Answer {
    guard let token = request.bearer else {
      return Answer(status: 401, json: ["msg": "Error: Missing authorization header"])
    }
    if (try? claims(ofAccessToken: token)) == nil { return Answer(status: 401, json: ["msg": "Invalid JWT"]) }
    switch request.path.split(separator: "/").last {
    case "echo": return functionEcho(request)
    case "sse": return eventStream(request)
    case "bytes": return byteStream(request)
    case "unauthorized": return Answer(status: 401, json: ["error": "This function answers 401 to everyone"])
    default: return Answer(status: 404, json: ["code": "NOT_FOUND", "message": "Requested function was not found"])
    }
  }

  /// `echo`: the method, path, headers in their order, and body that arrived. Keys and tokens are
  /// replaced by their SHA-256.
  private func functionEcho(_ request: Incoming) -> Answer {
    let headers = request.redactedHeaders.map { JSON.array([.string($0.name), .string($0.value)]) }
    return Answer(json: [
      "method": .string(request.method), "target": .string(request.target), "headers": .array(headers),
      "body": .string(String(decoding: request.body, as: UTF8.self)), "body_length": .int(request.body.count),
    ])
  }

  /// `sse?events=N&interval=SECONDS`: server-sent events; without `events` they never end.
  private func eventStream(_ request: Incoming) -> Answer {
    let count = request.parameter("events").flatMap { Int($0) } ?? .max
    let interval = request.parameter("interval").flatMap { Double($0) } ?? 1
    var answer = Answer(status: 200, headers: [("content-type", "text/event-stream"), ("cache-control", "no-cache")])
    answer.stream = { write in
      for number in 0..<count {
        // The interval is in real time, like the delay of a fault.
        if number > 0, interval > 0 { try await Task.sleep(for: .seconds(interval)) }
        try await write(Array("id: \(number)\nevent: tick\ndata: {\"number\":\(number)}\n\n".utf8))
      }
    }
    return answer
  }

  /// `bytes?count=N`: a body of N bytes, each of which is its offset modulo 251.
  private func byteStream(_ request: Incoming) -> Answer {
    let count = request.parameter("count").flatMap { Int($0) } ?? 0
    // A multiple of 251, so that all pieces are equal.
    let piece = (0..<65260).map { UInt8($0 % 251) }
    var answer = Answer(status: 200, headers: [("content-type", "application/octet-stream")])
    answer.stream = { write in
      var rest = count
      while rest > 0 {
        try await write(rest >= piece.count ? piece : Array(piece.prefix(rest)))
        rest -= piece.count
      }
    }
    return answer
  }
}
