import NIOSSL

/// TLS 1.2 or newer with full verification (OP-4).
enum TrustSettings {
  /// - Throws: `.tls` if the CA file cannot be read or holds no certificate.
  static func configuration(for endpoint: ProjectEndpoint) throws(AuthError) -> TLSConfiguration {
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.minimumTLSVersion = .tlsv12
    tls.certificateVerification = .fullVerification
    guard let file = endpoint.caFile else { return tls }
    let certificates = try certificates(in: file)
    if endpoint.onlyThisCA {
      tls.trustRoots = .certificates(certificates)
    } else {
      tls.trustRoots = .default
      tls.additionalTrustRoots = [.certificates(certificates)]
    }
    return tls
  }

  private static func certificates(in file: String) throws(AuthError) -> [NIOSSLCertificate] {
    do {
      // Throws for a file without any certificate, which would trust nobody, or silently change nothing.
      return try NIOSSLCertificate.fromPEMFile(file)
    } catch {
      throw AuthError(
        .tls, "ca_file cannot be read as PEM certificates; check the path in the configuration",
        cause: TransportFailure("\(error)"))
    }
  }
}
