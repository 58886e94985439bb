import AsyncHTTPClient
import Glibc
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOPosix
import NIOSOCKS
import NIOSSL
import SystemSupport
import WebURLs

extension AuthError {
  /// Returns the error for an exchange with `host` that produced no complete response within
  /// `limit`.
  ///
  /// - Parameter endpoint: the settings of the proxy, whose refusals have words of their own.
  package static func transport(
    _ error: any Error, host: String, within limit: Duration, for endpoint: ProjectEndpoint
  ) -> AuthError {
    if let error = error as? AuthError { return error }
    if Task.isCancelled || error is CancellationError { return AuthError(.cancelled, "the request was cancelled") }
    if let refused = proxyRefusal(error, endpoint) { return refused }
    switch error {
    case is TimeLimitExceeded: return .timeout(host, "no response within \(limit.components.seconds) s")
    case let error as HTTPClientError: return .httpClient(error, host)
    case is NIOTooManyBytesError: return AuthError(.tooLarge, "the response is too large")
    case let error as HTTPParserError:
      return AuthError(.unreadable, "the response is not HTTP or is truncated", cause: TransportFailure("\(error)"))
    case let error as NIOSSLError: return .ssl(error, host)
    case is NIOSSLExtraError: return .certificate(host, "\(error)")
    case let error as NIOConnectionError: return .connection(error)
    default: return .network(host, Self.safeDescription(of: error))
    }
  }

  /// Returns the error for what the proxy has refused, in both implementations of the handshake.
  private static func proxyRefusal(_ error: any Error, _ endpoint: ProjectEndpoint) -> AuthError? {
    guard let proxy = endpoint.proxyAddress else { return nil }
    let place = "\(proxy.host):\(proxy.port)"
    let refusal = AuthError(
      .proxyRefused,
      endpoint.proxyPassword == nil
        ? "the proxy requires a user name and a password" : "the proxy refuses the user name or the password",
      cause: TransportFailure("\(place): the proxy answered 407", isBeforeRequest: true))
    switch error {
    case let error as HTTPClientError where error == .proxyAuthenticationRequired: return refusal
    case let error as NIOHTTP1ProxyConnectHandler.Error where error == .proxyAuthenticationRequired(): return refusal
    case is SOCKSError.NoValidAuthenticationMethod, is SOCKSError.InvalidAuthenticationSelection:
      return AuthError(
        .proxyRefused, "the SOCKS proxy requires a password, which is not supported; use an http:// proxy",
        cause: TransportFailure("\(place): no common authentication method", isBeforeRequest: true))
    case let error as SOCKSError.ConnectionFailed:
      return .network(
        place, "the SOCKS proxy made no connection (reply \(error.reply.value))", isBeforeRequest: true)
    case let error as HTTPClientError where error != .invalidProxyResponse: return nil
    case is HTTPClientError, is NIOHTTP1ProxyConnectHandler.Error:
      return .network(place, "the proxy made no connection", isBeforeRequest: true)
    default: return nil
    }
  }

  /// Returns the error for a failed connection: the name does not resolve, or none of its addresses
  /// answered. The host may be the proxy's.
  private static func connection(_ error: NIOConnectionError) -> AuthError {
    if let failure = error.connectionErrors.first {
      return .network("\(error.host):\(error.port)", safeDescription(of: failure.error), isBeforeRequest: true)
    }
    guard let failure = error.dnsAError ?? error.dnsAAAAError else {
      return .timeout("\(error.host):\(error.port)", "connection timed out", isBeforeRequest: true)
    }
    let reason = (failure as? SocketAddressError.UnknownHost)?.errorDescription ?? safeDescription(of: failure)
    return .unresolved(error.host, reason)
  }

  /// Returns the error for a host name without an address.
  package static func unresolved(_ host: String, _ why: String) -> AuthError {
    .network(host, "cannot resolve the host name (DNS): \(why)", isBeforeRequest: true)
  }

  /// Returns the error for a connection that was not made in time.
  ///
  /// - Parameter step: what it waited for last.
  package static func notConnected(_ host: String, waitingFor step: String) -> AuthError {
    .timeout(host, "no connection within the time limit; it was waiting for \(step)", isBeforeRequest: true)
  }

  /// Socket and name resolution errors are described in full; any other error only by its type,
  /// which cannot contain a secret.
  private static func safeDescription(of error: any Error) -> String {
    switch error {
    case let error as IOError: message(of: error.errnoCode)
    case let error as ChannelError where error == .eof: "the connection was closed"
    case ChannelError.connectTimeout: "connection timed out"
    case is ChannelError, is SocketAddressError: "\(error)"
    default: "\(type(of: error))"
    }
  }

  private static func message(of number: CInt) -> String {
    switch number {
    case ECONNREFUSED: "connection refused"
    case ECONNRESET, EPIPE: "the connection was closed"
    default: errorDescription(number)
    }
  }

  private static func httpClient(_ error: HTTPClientError, _ host: String) -> AuthError {
    switch error {
    case .connectTimeout: .timeout(host, "connection timed out", isBeforeRequest: true)
    case .tlsHandshakeTimeout: .timeout(host, "TLS handshake timed out", isBeforeRequest: true)
    case .deadlineExceeded, .readTimeout, .getConnectionFromPoolTimeout, .httpProxyHandshakeTimeout,
      .socksHandshakeTimeout:
      .timeout(host, error.shortDescription)
    case .remoteConnectionClosed: .network(host, "the connection was closed")
    case .alreadyShutdown: .shutDown
    case .invalidURL, .emptyHost, .emptyScheme, .traceRequestWithBody:
      AuthError(.invalidRequest, "the request cannot be sent", cause: TransportFailure(error.shortDescription))
    case let error where error.isRefusedHeader:
      AuthError(.invalidRequest, "a header has invalid characters")
    default: .network(host, error.shortDescription)
    }
  }

  static let shutDown = AuthError(.shutDown, "the client was shut down")

  private static func timeout(_ host: String, _ why: String, isBeforeRequest: Bool = false) -> AuthError {
    AuthError(
      .timeout, "the server did not respond in time",
      cause: TransportFailure("\(host): timeout: \(why)", isBeforeRequest: isBeforeRequest))
  }

  private static func network(_ host: String, _ why: String, isBeforeRequest: Bool = false) -> AuthError {
    AuthError(
      .network, "the server cannot be reached, or the connection broke",
      cause: TransportFailure("\(host): \(why)", isBeforeRequest: isBeforeRequest))
  }

  private static func certificate(_ host: String, _ why: String) -> AuthError {
    AuthError(
      .tls,
      "TLS failed: the server's certificate or TLS version was rejected; see ca_file in the configuration",
      cause: TransportFailure("\(host): TLS: \(why)"))
  }

  /// A peer that closes the connection is a network failure; a refused certificate or protocol
  /// version is a TLS failure.
  private static func ssl(_ error: NIOSSLError, _ host: String) -> AuthError {
    switch error {
    // A peer that closes without close_notify, as many do.
    case .uncleanShutdown: .network(host, "the connection was closed")
    case .handshakeFailed(let inner):
      isHangUp(inner)
        ? .network(host, "the connection was closed during the TLS handshake", isBeforeRequest: true)
        : .certificate(host, reason(of: inner))
    case .unableToValidateCertificate, .noCertificateToValidate, .failedToLoadCertificate, .cannotFindPeerIP,
      .noSuchFilesystemObject:
      .certificate(host, "\(error)")
    default: .network(host, "TLS: \(error)")
    }
  }

  /// Returns BoringSSL's own reason, such as `certificate verify failed`, without the source file
  /// names in its text.
  private static func reason(of error: BoringSSLError) -> String {
    let text = "\(error)"
    guard let mark = text.firstRange(of: "OPENSSL_internal:") else { return "TLS handshake failed" }
    let name = text[mark.upperBound...].prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    return name.lowercased().split(separator: "_").joined(separator: " ")
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
  /// Compares descriptions because these two errors carry the rejected headers, so they equal no
  /// static value.
  fileprivate var isRefusedHeader: Bool {
    shortDescription == HTTPClientError.invalidHeaderFieldValues([]).shortDescription
      || shortDescription == HTTPClientError.invalidHeaderFieldNames([]).shortDescription
  }
}
