@testable import AuthSandbox

extension Claims {
  static let user: [String: Claim] = [
    "ok": .after { stage in Sending(token: try await stage.gina().access) },
    "no Authorization": .asIs,
    "no Authorization, 2024-01-01": .asIs,
    "not a JWT": .after { _ in Sending(token: "garbage") },
    "wrong signature": .after { stage in Sending(token: try await stage.forged("HS256")) },
    "alg none": .after { stage in Sending(token: try await stage.forged("none")) },
    "expired": expired,
    "expired, 2024-01-01": expired,
    "valid token, unknown user": .after { stage in
      let session = try await stage.session()
      try stage.sandbox.deleteUser("gina@lab.test")
      return Sending(token: session.access)
    },
    "anon key as bearer": .after { stage in Sending(token: stage.sandbox.anonKey) },
    "session gone": gone,
    "session gone, 2024-01-01": gone,
    "PUT /user data": .after { stage in Sending(token: try await stage.gina().access) },
    "PUT /user same password": signedIn,
    "PUT /user weak password": signedIn,
    "PUT /user new password": .after { stage in
      Sending(token: try await stage.session("ud73735bb@lab.test").access)
    },
  ]

  private static let expired = Claim.after { stage in
    let session = try await stage.session()
    stage.sandbox.advanceClock(by: .seconds(61))
    return Sending(token: session.access)
  }

  private static let gone = Claim.after { stage in
    let session = try await stage.session()
    stage.sandbox.revokeAllSessions()
    return Sending(token: session.access)
  }

  static let logout: [String: Claim] = [
    "scope=local": signedIn,
    "its access token afterwards": signedOut,
    "its refresh token afterwards": .after { stage in .refresh(try await stage.signedOut().refresh) },
    "logout again with the same token": signedOut,
    "logout again, 2024-01-01": signedOut,
    "bad scope": signedIn,
    "scope=others": signedIn,
    "no scope (= global)": signedIn,
    "refresh afterwards": .after { stage in
      let session = try await stage.session()
      _ = try await stage.call("POST", "/logout", token: session.access)
      return .refresh(session.refresh)
    },
    "no Authorization": .asIs,
    "expired token": expired,
  ]

  private static let signedIn = Claim.after { stage in Sending(token: try await stage.session().access) }

  private static let signedOut = Claim.after { stage in Sending(token: try await stage.signedOut().access) }

  static let admin: [String: Claim] = [
    "banned: password": .after { stage in
      _ = try await stage.banned()
      return Sending(members: ["email": "gina@lab.test"])
    },
    "banned: refresh": .after { stage in .refresh(try await stage.banned().refresh) },
    "banned: GET /user": .after { stage in Sending(token: try await stage.banned().access) },
    "delete user (service_role)": .after { stage in
      let id = try await stage.session().json["user"]?["id"]?.string ?? ""
      return Sending(token: stage.sandbox.serviceRoleKey, path: "/admin/users/\(id)")
    },
    "deleted: GET /user": deleted,
    "deleted: refresh": .after { stage in
      let session = try await stage.session()
      try stage.sandbox.deleteUser("gina@lab.test")
      return .refresh(session.refresh)
    },
    "deleted: logout": deleted,
    "admin without service_role": signedIn,
  ]

  private static let deleted = Claim.after { stage in
    let session = try await stage.session()
    try stage.sandbox.deleteUser("gina@lab.test")
    return Sending(token: session.access)
  }

  static let other: [String: Claim] = [
    "verify: bad token_hash (POST)": .asIs,
    "verify: bad otp (POST)": .asIs,
    "verify: bad token (GET, browser)": .asIs,
    "verify: good token_hash": .after { stage in
      Sending(members: ["token_hash": .string(try await stage.recoveryHash())])
    },
    "verify: the same again": .after { stage in
      let hash = JSON.string(try await stage.recoveryHash())
      _ = try await stage.call("POST", "/verify", body: ["type": "recovery", "token_hash": hash])
      return Sending(members: ["token_hash": hash])
    },
    "recover, unknown user": .asIs,
  ]

  static let asymmetric: [String: Claim] = [
    "jwks": .with { $0.jwtAlgorithm = .es256 },
    "bad signature": Claim(settings: { $0.jwtAlgorithm = .es256 }) { stage in
      Sending(token: try await stage.forged("ES256"))
    },
    "HS256 token with the wrong secret": Claim(settings: { $0.jwtAlgorithm = .es256 }) { stage in
      Sending(token: try await stage.forged("HS256"))
    },
    gatewayRow: .asIs,
  ]
}

extension Stage {
  /// Signs up the user of the recording, with its metadata, and signs in.
  fileprivate func gina() async throws -> TestSession {
    let body: JSON = [
      "email": "gina015390@lab.test", "password": "correct horse 9", "data": ["display_name": "Gina"],
    ]
    _ = try await call("POST", "/signup", body: body)
    return try TestSession(await signIn("gina015390@lab.test"))
  }

  fileprivate func signedOut() async throws -> TestSession {
    let session = try await session()
    _ = try await call("POST", "/logout?scope=local", token: session.access)
    return session
  }

  fileprivate func banned() async throws -> TestSession {
    let session = try await session()
    try sandbox.banUser("gina@lab.test")
    return session
  }

  fileprivate func recoveryHash() async throws -> String {
    _ = try await session()
    _ = try await call("POST", "/recover", body: ["email": "gina@lab.test"])
    return sandbox.mails.last?.tokenHash ?? ""
  }

  /// A valid session's claims under another algorithm's header, with an invalid signature.
  fileprivate func forged(_ algorithm: String) async throws -> String {
    let parts = try await session().access.split(separator: ".")
    let header: JSON = ["alg": .string(algorithm), "typ": "JWT"]
    let signature =
      algorithm == "none" ? "" : Text.base64URL([UInt8](repeating: 7, count: algorithm == "ES256" ? 64 : 32))
    return "\(Text.base64URL(header.bytes)).\(parts[1]).\(signature)"
  }
}
