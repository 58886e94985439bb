/// Writes a user as `/signup`, `/user` and every session do.
struct UserJSON: Sendable {
  /// Fraction digits of timestamps, nil for the server's own habit.
  var digits: Int?

  /// `fresh`: the answer to a sign-up, which has no `confirmed_at` yet and shows nanoseconds.
  func user(_ user: UserRecord, fresh: Bool = false) -> JSON {
    var members: [String: JSON] = [
      "id": .string(user.id), "aud": "authenticated", "role": "authenticated", "email": .string(user.email),
      "phone": "", "app_metadata": user.appMetadata, "user_metadata": .object(user.metadata),
      "identities": .array(user.identities.map { identity($0, of: user.id) }), "is_anonymous": .bool(user.isAnonymous),
      "created_at": time(user.createdAt), "updated_at": time(user.updatedAt),
    ]
    members["email_confirmed_at"] = user.emailConfirmedAt.map { time(fresh ? $0 : $0.truncatedToMicroseconds) }
    if !fresh { members["confirmed_at"] = user.emailConfirmedAt.map { time($0.truncatedToMicroseconds) } }
    members["confirmation_sent_at"] = user.isConfirmed ? nil : user.confirmationSentAt.map(time)
    members["recovery_sent_at"] = user.recoverySentAt.map(time)
    members["last_sign_in_at"] = user.lastSignInAt.map(time)
    members["banned_until"] = user.bannedUntil.map(time)
    members["new_email"] = user.newEmail.map(JSON.string)
    return .object(members)
  }

  /// What a sign-up with a known, confirmed address is told: a user that looks real and is not.
  func obfuscated(email: String, now: Moment) -> JSON {
    [
      "id": .string(Text.uuid()), "aud": "authenticated", "role": "", "email": .string(email), "phone": "",
      "confirmation_sent_at": time(now), "app_metadata": ["provider": "email", "providers": ["email"]],
      "user_metadata": [:], "identities": [], "created_at": time(now), "updated_at": time(now),
      "is_anonymous": false,
    ]
  }

  private func identity(_ identity: IdentityRecord, of userID: String) -> JSON {
    var members: [String: JSON] = [
      "identity_id": .string(identity.identityID), "id": .string(identity.subject),
      "user_id": .string(userID), "identity_data": .object(identity.data), "provider": .string(identity.provider),
      "last_sign_in_at": time(identity.lastSignInAt), "created_at": time(identity.createdAt),
      "updated_at": time(identity.updatedAt),
    ]
    members["email"] = identity.data["email"]
    return .object(members)
  }

  private func time(_ moment: Moment) -> JSON { .string(moment.rfc3339(digits: digits)) }
}
