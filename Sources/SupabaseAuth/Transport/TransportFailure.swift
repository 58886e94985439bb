import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import SystemSupport

/// What lies below an `AuthError` of the transport, for the journal. Made of texts that cannot hold a secret: the HTTP
/// client's own error would print the values of headers that it refuses.
public struct TransportFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// At most 200 characters of visible ASCII and spaces.
  public let description: String

  init(_ text: String) {
    let plain = text.unicodeScalars.map { (0x20...0x7E).contains($0.value) ? Character($0) : "?" }
    description = String(plain.prefix(200))
  }
}

extension AuthError {
  /// The error of an exchange that brought no whole answer.
  static func transport(_ error: any Error) -> AuthError {
    if let error = error as? AuthError { return error }
    if Task.isCancelled || error is CancellationError { return AuthError(.cancelled, "the request was cancelled") }
    switch error {
    case is TimeLimitExceeded: return .timeout("no answer in time")
    case let error as HTTPClientError: return .httpClient(error)
    case is NIOTooManyBytesError: return AuthError(.tooLarge, "the answer is larger than the limit")
    case let error as HTTPParserError:
      return AuthError(.unreadable, "the answer is not HTTP, or ends early", cause: TransportFailure("\(error)"))
    case let error as NIOSSLError: return .ssl(error)
    case is NIOSSLExtraError: return .certificate("\(error)")
    default: return .network(Self.safeDescription(of: error))
    }
  }

  /// Errors of sockets and names say where and why; of any other only the type is repeated.
  private static func safeDescription(of error: any Error) -> String {
    switch error {
    case is IOError, is ChannelError, is NIOConnectionError, is SocketAddressError: "\(error)"
    default: "\(type(of: error))"
    }
  }

  private static func httpClient(_ error: HTTPClientError) -> AuthError {
    switch error {
    case .connectTimeout, .tlsHandshakeTimeout, .deadlineExceeded, .readTimeout, .getConnectionFromPoolTimeout,
      .httpProxyHandshakeTimeout, .socksHandshakeTimeout:
      .timeout(error.shortDescription)
    case .alreadyShutdown: .shutDown
    case .invalidURL, .emptyHost, .emptyScheme, .traceRequestWithBody:
      AuthError(.invalidRequest, "the request cannot be sent", cause: TransportFailure(error.shortDescription))
    case let error where error.isRefusedHeader:
      AuthError(.invalidRequest, "a header has characters that cannot be sent")
    default: .network(error.shortDescription)
    }
  }

  static let shutDown = AuthError(.shutDown, "the client was shut down")

  private static func timeout(_ why: String) -> AuthError {
    AuthError(.timeout, "the server did not answer in time", cause: TransportFailure(why))
  }

  private static func network(_ why: String) -> AuthError {
    AuthError(.network, "the server cannot be reached, or the connection broke", cause: TransportFailure(why))
  }

  private static func certificate(_ why: String) -> AuthError {
    AuthError(
      .tls,
      "no secure connection: the server's certificate or TLS version was refused; see ca_file in the configuration",
      cause: TransportFailure(why))
  }

  /// A peer that hangs up is the network's fault; what it shows and we refuse is TLS's.
  private static func ssl(_ error: NIOSSLError) -> AuthError {
    switch error {
    case .handshakeFailed(let inner): isHangUp(inner) ? .network("\(error)") : .certificate("\(error)")
    case .unableToValidateCertificate, .noCertificateToValidate, .failedToLoadCertificate, .cannotFindPeerIP,
      .noSuchFilesystemObject:
      .certificate("\(error)")
    default: .network("\(error)")
    }
  }

  private static func isHangUp(_ error: BoringSSLError) -> Bool {
    switch error {
    case .sslError(let stack): stack == [.eofDuringHandshake]
    case .zeroReturn, .syscallError, .noError: true
    default: false
    }
  }
}

extension HTTPClientError {
  /// These two carry what they refuse, so no static value equals them.
  fileprivate var isRefusedHeader: Bool {
    shortDescription == HTTPClientError.invalidHeaderFieldValues([]).shortDescription
      || shortDescription == HTTPClientError.invalidHeaderFieldNames([]).shortDescription
  }
}
