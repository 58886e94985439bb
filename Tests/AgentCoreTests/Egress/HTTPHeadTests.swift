import NIOCore
import NIOEmbedded
import TestKit
import Testing

@testable import Egress

extension HTTPHead {
  /// A request as its bytes arrive.
  static func request(_ method: String, _ target: String, _ fields: [(String, String)]) throws -> HTTPHead {
    try whole(.request, "\(method) \(target) HTTP/1.1", fields)
  }

  /// A 200 as its bytes arrive.
  static func answer(_ fields: [(String, String)]) throws -> HTTPHead { try whole(.answer, "HTTP/1.1 200 OK", fields) }

  private static func whole(_ kind: Kind, _ line: String, _ fields: [(String, String)]) throws -> HTTPHead {
    let lines = [line] + fields.map { "\($0.0): \($0.1)" } + ["", ""]
    var bytes = ByteBuffer(string: lines.joined(separator: "\r\n"))
    return try #require(try take(kind, from: &bytes))
  }
}

/// The grammar of HTTP/1.1 (RFC 9112), as a client and a server could break it.
@Suite struct HTTPHeadTests {
  private static func fault(_ kind: HTTPHead.Kind, _ text: String) -> HTTPFault? {
    var bytes = ByteBuffer(string: text)
    do throws(HTTPFault) {
      _ = try HTTPHead.take(kind, from: &bytes)
      return nil
    } catch { return error }
  }

  @Test("a head is taken whole, and what follows it stays")
  func takesAHead() throws {
    var bytes = ByteBuffer(string: "\r\n\r\nPOST /a?b HTTP/1.1\r\nHost:localhost\r\nX-A:  a b \t\r\nx-a:\r\n\r\nbody")
    let head = try #require(try HTTPHead.take(.request, from: &bytes))
    #expect(head.method == "POST" && head.target == "/a?b" && String(buffer: bytes) == "body")
    #expect(head.values(.host) == ["localhost"])
    #expect(head.fields.map { head.text($0.name) } == ["Host", "X-A", "x-a"])
    #expect(head.fields.map { head.text($0.value) } == ["localhost", "a b", ""])
    #expect(!"\(head)".contains("localhost") && !String(reflecting: head).contains("localhost"))
  }

  @Test("each beginning of a head waits for the rest", arguments: [HTTPHead.Kind.request, .answer])
  func waitsForTheRest(kind: HTTPHead.Kind) throws {
    let line = kind == .request ? "\r\nGET /a HTTP/1.1" : "HTTP/1.1 404 Not Found"
    let text = Array("\(line)\r\nHost: a\r\nX-Long_Name: b\r\n\r\n".utf8)
    for count in 0..<text.count {
      var bytes = ByteBuffer(bytes: text.prefix(count))
      #expect(try HTTPHead.take(kind, from: &bytes) == nil && bytes.readableBytes == count, "\(count)")
    }
    var bytes = ByteBuffer(bytes: text)
    #expect(try HTTPHead.take(kind, from: &bytes)?.fields.count == 2 && bytes.readableBytes == 0)
  }

  @Test(
    "what is no request is refused as soon as it shows",
    arguments: [
      ("get", .method), ("Get /", .method), ("GEt", .method), ("G@T", .syntax), (" GET", .syntax), ("\n", .syntax),
      ("\rG", .syntax), ("GET  /", .syntax), ("GET /a\t", .syntax), ("GET /\u{7F}", .syntax), ("GET /é", .syntax),
      ("GET /\r", .syntax), ("GET / HTTP/1.1 ", .syntax), ("GET / HTTP/1.1\n", .syntax), ("GET / http", .syntax),
      ("GET / HTTP/1.0", .version), ("GET / HTTP/2.0", .version), ("GET / HTTP/1.9", .syntax),
      ("GET / HTTP/1.1\r\n A", .syntax), ("GET / HTTP/1.1\r\nA :", .syntax), ("GET / HTTP/1.1\r\n:", .syntax),
      ("GET / HTTP/1.1\r\nA\r", .syntax), ("GET / HTTP/1.1\r\nA: b\n", .syntax), ("GET / HTTP/1.1\r\nA: b\rc", .syntax),
      ("GET / HTTP/1.1\r\nA: \0", .syntax), ("GET / HTTP/1.1\r\nA: b\r\n\rX", .syntax),
      ("\u{16}\u{3}\u{1}", .syntax), ("ABCDEFGHIJKLMNOPQRSTU", .method),
    ] as [(String, HTTPFault)])
  func refusesRequests(text: String, expected: HTTPFault) {
    #expect(Self.fault(.request, text) == expected)
  }

  @Test(
    "what is no answer is refused",
    arguments: [
      "HTTP/1.1 20 OK\r", "HTTP/1.1 2000 OK", "HTTP/1.1 099 No", "HTTP/1.1200 OK", "HTTP/2.0 200 OK", "HTTP/1.1  200",
      "HTTP/1.1 2x0", "ICY 200 OK", "HTTP/1.1 200 O\nK", "HTTP/1.1 200x\r\n", "\0", "HTTP/1.1 200 OK\r\nA: b\r\n c",
    ])
  func refusesAnswers(text: String) {
    #expect(Self.fault(.answer, text) == .syntax)
  }

  @Test("a head has up to 32 KiB, however it is made up")
  func bounds() throws {
    let line = "GET / HTTP/1.1\r\n"
    for part in ["x", "x: y\r\n"] {
      let text = line + String(repeating: part, count: HTTPHead.maxBytes / part.utf8.count)
      #expect(Self.fault(.request, text) == .tooLarge)
      #expect(Self.fault(.request, String(decoding: text.utf8.prefix(HTTPHead.maxBytes - 1), as: UTF8.self)) == nil)
    }
    #expect(Self.fault(.request, String(repeating: "\r\n", count: HTTPHead.maxBytes / 2)) == .tooLarge)
  }

  @Test("fields are known in any case; a gateway's other spelling is dropped, and frames nothing")
  func knowsFields() throws {
    let head = try HTTPHead.request(
      "GET", "/",
      [
        ("CONTENT-LENGTH", "1"), ("Content_Length", "2"), ("x_forwarded_for", "3"), ("X-Forwarded-Fo", "4"),
        ("API_KEY", "5"), ("Cf-Access-Client-Id", "6"), ("CF-Ray", "7"), ("proxy-x", "8"), ("A", "9"),
      ])
    #expect(head.values(.contentLength) == ["1"])
    #expect(head.fields.map(\.isReserved) == [true, true, true, true, false, false, true, true, false])
    var out = ByteBuffer()
    head.write(to: &out) { !$0.isReserved }
    #expect(String(buffer: out) == "API_KEY: 5\r\nCf-Access-Client-Id: 6\r\nA: 9\r\n")
  }

  @Test("random bytes are a head, wait for more, or are refused; what is taken has the grammar", arguments: 0..<20)
  func keepsTheGrammar(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "GET", " ", "/", "HTTP/1.1", "\r\n", "\r", "\n", ":", "a", "Host", "\t", "\0", "é", "HTTP/1.1 200 OK", "_",
    ]
    for _ in 0..<2000 {
      let rest = (0..<Int.random(in: 0...12, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
      let kind = Bool.random(using: &random) ? HTTPHead.Kind.request : .answer
      let start = kind == .request ? "GET / HTTP/1.1\r\n" : "HTTP/1.1 200 OK\r\n"
      let text = (Bool.random(using: &random) ? start : "") + rest.joined()
      var bytes = ByteBuffer(string: text)
      guard let head = try? HTTPHead.take(kind, from: &bytes) else { continue }
      let taken = text.utf8.count - bytes.readableBytes
      #expect(Array(text.utf8.prefix(taken)).suffix(4).elementsEqual("\r\n\r\n".utf8), "\(text.debugDescription)")
      for field in head.fields {
        #expect(!head.text(field.name).utf8.contains { $0 <= 0x20 || $0 == 0x3A || $0 >= 0x7F })
        #expect(!head.text(field.value).utf8.contains { $0 < 0x20 && $0 != 0x09 })
      }
    }
  }
}

/// Bodies of messages, as they arrive.
@Suite struct HTTPBodyTests {
  /// Reads a body that arrives in pieces of `size` bytes; gives it, what is left, and whether it has ended.
  private static func read(
    _ framing: HTTPFraming, _ text: String, size: Int
  ) throws(HTTPFault) -> (body: String, rest: String, isEnded: Bool) {
    var (reader, unread, body, all) = (HTTPBodyReader(framing), ByteBuffer(), ByteBuffer(), ByteBuffer(string: text))
    while let piece = all.readSlice(length: min(size, all.readableBytes)), piece.readableBytes > 0 {
      unread.append(piece)
      while !reader.isEnded {
        let piece = try reader.take(from: &unread)
        guard piece.readableBytes > 0 else { break }
        body.writeImmutableBuffer(piece)
      }
    }
    return (String(buffer: body), String(buffer: unread), reader.isEnded)
  }

  @Test("a body ends where its framing says, however it arrives", arguments: 1...40)
  func takesBodies(size: Int) throws {
    for (framing, text, body, rest) in [
      (HTTPFraming.none, "GET", "", "GET"), (.length(0), "GET", "", "GET"), (.length(3), "abcGET", "abc", "GET"),
      (.chunked, "0\r\n\r\nGET", "", "GET"),
      (.chunked, "3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\nGET", "abc0123456789", "GET"),
      (.chunked, "1;a=\"b\"\r\na\r\n1\r\nb\r\n000\r\nX: 1\r\nY: 2\r\n\r\nGET", "ab", "GET"),
    ] {
      let found = try Self.read(framing, text, size: size)
      #expect(found.body == body && found.rest == rest && found.isEnded, "\(framing)")
    }
    let open = try Self.read(.untilClose, "abc", size: size)
    #expect(open.body == "abc" && !open.isEnded)
    #expect(try !Self.read(.length(9), "abc", size: size).isEnded)
  }

  @Test(
    "chunks that some servers read in another way are refused",
    arguments: [
      "0 \r\n", " 0\r\n", "-1\r\n", "+0\r\n", "0x0\r\n", "1_0\r\n", "10000000000000000\r\n", "2\r\nabc\r\n", "\r\n",
      "2\nab", "2\r\nab\n", "2;a\nb\r\n", "0\n\n", "zz\r\n", "0\r\nX: 1\nY: 2\r\n\r\n", "0\r\n X: 1\r\n", "0\r\nX\r\n",
      "1;\0\r\n", "1\r\nab", "2\rab",
    ])
  func refusesChunks(text: String) {
    for size in [1, text.utf8.count] {
      #expect(throws: HTTPFault.syntax) { try Self.read(.chunked, text, size: size) }
    }
  }

  @Test("the line of a chunk, and the trailers, have a limit")
  func boundsLines() {
    for text in ["1;" + String(repeating: "x", count: 4096), "0\r\n" + String(repeating: "a: b\r\n", count: 9000)] {
      #expect(throws: HTTPFault.tooLarge) { try Self.read(.chunked, text, size: 1000) }
    }
  }

  @Test("many chunks are taken in turns, and none is lost")
  func takesTurns() throws {
    var (reader, unread, body, turns) = (HTTPBodyReader(.chunked), ByteBuffer(), ByteBuffer(), 0)
    unread.writeString(String(repeating: "1\r\nx\r\n", count: 1000) + "0\r\n\r\n")
    while !reader.isEnded {
      let piece = try reader.take(from: &unread)
      #expect(piece.readableBytes <= 64 && reader.isPaused == (piece.readableBytes == 64))
      body.writeImmutableBuffer(piece)
      turns += 1
    }
    #expect(body.readableBytes == 1000 && turns == 16)
  }

  private final class Place {}

  @Test("one connection goes on at a time, and each has one place in the line")
  func keepsTheLine() {
    let (loop, places) = (EmbeddedEventLoop(), (0..<3).map { _ in Place() })
    let line = Turns(loop)
    var order: [Int] = []
    for number in [0, 1, 0, 2] { line.wait(places[number]) { order.append(number) } }
    for count in 1...3 {
      loop.advanceTime(by: EgressLimits.betweenTurns)
      #expect(order == Array(0..<count))
    }
    loop.advanceTime(by: EgressLimits.betweenTurns)
    #expect(order.count == 3)
  }

  @Test("a chunk is written as it is read", arguments: [1, 15, 16, 255, 256, 65_535, 65_536, 1 << 20])
  func writesChunks(size: Int) throws {
    var text = ByteBuffer()
    text.writeChunkSize(size)
    #expect(String(buffer: text) == String(size, radix: 16) + "\r\n")
  }
}
