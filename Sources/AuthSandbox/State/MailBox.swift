/// The mails that nobody sends: what would have stood in them.
struct MailBox: Sendable {
  /// One mail with a one-time code.
  struct Mail: Sendable {
    /// "signup" or "recovery".
    var type: String
    var userID: String
    var email: String
    /// Six digits, to be typed in.
    var code: String
    /// What the link carries.
    var tokenHash: String
    var sentAt: Moment
  }

  private(set) var mails: [Mail] = []

  mutating func send(_ type: String, to user: UserRecord, now: Moment) {
    mails.append(
      Mail(
        type: type, userID: user.id, email: user.email, code: Text.random(6, from: "0123456789"),
        tokenHash: Text.random(56, from: "0123456789abcdef"), sentAt: now))
  }

  /// Finds an unspent mail and spends it. A code lives for an hour, the server's default.
  mutating func spend(now: Moment, where matches: (Mail) -> Bool) -> Mail? {
    guard let index = mails.lastIndex(where: { matches($0) && now <= $0.sentAt.adding(seconds: 3600) }) else {
      return nil
    }
    return mails.remove(at: index)
  }
}
