import Foundation
import NIOSSL
import TestKit

/// A certificate authority for one test, created by openssl(1) in a scratch directory.
struct TestAuthority {
  let folder: URL
  let name: String

  var file: String { folder.appending(path: "\(name).pem").path }
  private var key: String { folder.appending(path: "\(name).key").path }

  init(_ name: String, in folder: URL) async throws {
    self.name = name
    self.folder = folder
    try Data("[req]\ndistinguished_name=dn\n[dn]\n".utf8).write(to: folder.appending(path: "openssl.cnf"))
    try await openssl(
      ["-keyout", key, "-out", file, "-subj", "/CN=Test CA \(name)", "-addext", "basicConstraints=critical,CA:TRUE"])
  }

  /// Returns the configuration of a server with a certificate of this authority.
  func server(for alternativeName: String) async throws -> TLSConfiguration {
    let certificate = folder.appending(path: "\(name)-server.pem").path
    let serverKey = folder.appending(path: "\(name)-server.key").path
    try await openssl([
      "-CA", file, "-CAkey", key, "-keyout", serverKey, "-out", certificate, "-subj", "/CN=server",
      "-addext", "subjectAltName=\(alternativeName)", "-addext", "basicConstraints=critical,CA:FALSE",
    ])
    return .makeServerConfiguration(
      certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
      privateKey: .privateKey(try NIOSSLPrivateKey(file: serverKey, format: .pem)))
  }

  private func openssl(_ arguments: [String]) async throws {
    let config = folder.appending(path: "openssl.cnf").path
    let made = try RunningProgram(
      "/usr/bin/openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-config",
        config,
      ] + arguments, environment: ProcessInfo.processInfo.environment, folder: folder)
    guard try await made.end().status == 0 else { throw OpenSSLFailed() }
  }
}

struct OpenSSLFailed: Error {}
