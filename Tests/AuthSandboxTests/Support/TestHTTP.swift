import AsyncHTTPClient
import NIOCore
import NIOHTTP1

@testable import AuthSandbox

/// A response.
struct HTTPAnswer: Sendable {
  var status: Int
  var headers: [(name: String, value: String)]
  var bytes: [UInt8]

  func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The body as JSON; throws if the body is not JSON.
  var json: JSON { get throws { try JSON(parsing: bytes) } }

  /// The error code, from the member that has it.
  var code: String? {
    guard let json = try? json else { return nil }
    return json["code"]?.string ?? json["error_code"]?.string ?? json["error"]?.string
  }
}

/// One client for all tests, which follows no redirects and lives as long as the process.
enum TestHTTP {
  private static let client: HTTPClient = {
    var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
    // Tests open hundreds of connections to hundreds of sandboxes.
    configuration.connectionPool.idleTimeout = .seconds(5)
    return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }()

  static func send(
    _ method: String, _ url: String, headers: [(String, String)] = [], body: [UInt8]? = nil
  ) async throws -> HTTPAnswer {
    var request = HTTPClientRequest(url: url)
    request.method = .init(rawValue: method)
    for (name, value) in headers { request.headers.add(name: name, value: value) }
    if let body { request.body = .bytes(ByteBuffer(bytes: body)) }
    let response = try await client.execute(request, timeout: .seconds(30))
    let bytes = try await response.body.collect(upTo: 1 << 20)
    return HTTPAnswer(
      status: Int(response.status.code), headers: response.headers.map { ($0.name, $0.value) },
      bytes: Array(bytes.readableBytesView))
  }
}
