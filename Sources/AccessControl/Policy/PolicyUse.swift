/// How the policy applies to each method (PR-3). A method that has no entry here is refused while there are rules, and a
/// test fails.
package enum PolicyUse: Sendable, Equatable {
  /// It uses or changes no account; why, in words.
  case none(String)
  /// The account that is named, else the default one.
  case account
  /// The account that a sign-in would be for: it need not be there yet.
  case signIn
  /// The account of a sign-in that runs.
  case flow
  /// The account that is named, or with `all` every one.
  case signOut
  /// Its answer holds nothing; each event that brings a token is decided about by itself.
  case eachToken

  package static let table: [String: PolicyUse] = [
    "agent.hello": .none("says the version"),
    "agent.status": .none("shows states, no token"),
    "agent.reload": .none("reads the user's own file"),
    "agent.diagnose": .none("shows states, no token"),
    "rpc.discover": .none("shows the protocol"),
    "session.list": .none("shows states, no token"),
    "session.status": .none("shows a state, no token"),
    "session.explain": .none("shows reasons, no token"),
    "session.token": .account,
    "session.refresh": .account,
    "session.use": .account,
    "session.useAPI": .account,
    "session.signOut": .signOut,
    "signIn.nonce": .none("makes a random number"),
    "signIn.methods": .none("asks a project, without an account"),
    "signIn.password": .signIn,
    "signIn.signUp": .signIn,
    "signIn.idToken": .signIn,
    "signIn.importSession": .signIn,
    "signIn.start": .signIn,
    "signIn.wait": .flow,
    "signIn.cancel": .flow,
    "signIn.complete": .none(
      "hands in what a browser brought for a flow that was begun under the policy; the browser's unit is any"),
    "identity.list": .account,
    "identity.link": .account,
    "identity.unlink": .account,
    "identity.decide": .flow,
    "profile.get": .account,
    "profile.update": .account,
    "api.request": .account,
    "events.subscribe": .eachToken,
    "vault.status": .none("shows the vault"),
    "vault.lock": .none("takes from everybody, gives nobody"),
    "vault.unlock": .none("needs a key"),
    "vault.addKey": .none("needs a key"),
    "vault.removeKey": .none("needs a key"),
    "vault.rekey": .none("needs a key"),
    "vault.verify": .none("reads the vault's files"),
    "vault.adopt": .none("a person says that this machine is the one"),
    "audit.list": .none("shows what was done, no token"),
    "audit.verify": .none("shows what was done, no token"),
    "telemetry.snapshot": .none("shows numbers"),
    "approval.list": .none("has a rule of its own: who asked does not answer"),
    "approval.answer": .none("has a rule of its own: who asked does not answer"),
    "approval.revoke": .none("has a rule of its own: who asked does not answer"),
    "approval.wait": .none("has a rule of its own: who asked does not answer"),
  ]
}
