import Foundation
import Glibc
import TestKit

/// A tool that keeps its connection to the agent open.
struct LongLivedTool {
  private let descriptor: Int32

  init(_ home: TestHome) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard withUnixAddress(home.socket, { connect(descriptor, $0, $1) }) == 0 else {
      throw ConditionTimeout(what: "a connection")
    }
  }

  /// Requests a token and reads the response.
  func token() throws -> String? {
    let request = Array("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session.token\"}\n".utf8)
    guard write(descriptor, request, request.count) == request.count else {
      throw ConditionTimeout(what: "a written request")
    }
    var answer: [UInt8] = []
    while answer.last != UInt8(ascii: "\n") {
      var piece = [UInt8](repeating: 0, count: 65_536)
      let count = read(descriptor, &piece, piece.count)
      guard count > 0 else { throw ConditionTimeout(what: "an answer") }
      answer += piece.prefix(count)
    }
    let object = try JSONSerialization.jsonObject(with: Data(answer)) as? [String: Any]
    return (object?["result"] as? [String: Any])?["accessToken"] as? String
  }

  func close() { Glibc.close(descriptor) }
}
