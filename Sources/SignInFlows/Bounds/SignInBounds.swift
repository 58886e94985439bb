import NIOCore
import SystemSupport

/// Bounds of signing in, each with its reason.
package enum SignInBounds {
  /// How long a flow lives: the server forgets it 300 s after the browser came to `/authorize`, the exchange included.
  static let flowLife = Duration.seconds(300)

  /// How long the result of a flow can still be asked for after its end: a client that lost its connection comes back
  /// within seconds.
  static let resultLife = Duration.seconds(60)

  /// How long a loopback listener outlives its flow, so that the browser can load the page that says how it ended; a
  /// browser follows a redirect within a second or so.
  static let listenerGrace = Duration.seconds(10)

  /// Ports of flows that are over, kept until the flow's deadline; each is a descriptor and a thread.
  static let keptPorts = 32

  /// How long the end of a flow waits for the server to unlink what nobody agreed to (LK-2): a lock has 3 s for everything.
  static let unlinking = Duration.seconds(2)

  /// Flows that run at a time: each holds a port, and a person signs in to one account after the other.
  static let runningFlows = 16

  /// Flows that are remembered, ended ones included.
  static let knownFlows = 64

  /// Callbacks that are refused before the flow ends (SI-8).
  static let callbackFailures = 5

  /// Bytes of a callback address (SI-8); the ones that the server makes have about 200.
  static let callbackLength = 8 * 1024

  /// Bytes of a form: an address and a password, three bytes for each byte of them at worst.
  static let formLength = 4 * 1024

  /// How long a page waits for what usually comes at once, before it shows progress: a person begins to wonder after about
  /// a second.
  static let pagePatience = Duration.seconds(1)

  /// How long one request of the progress page is held: shorter than the connection's own limit of 40 s.
  static let progressPatience = Duration.seconds(20)

  /// Bytes of randomness in `state`, verifier and launch address: 256 bits (SI-2, SI-8).
  static let secretBytes = 32

  /// The window in which password attempts are counted (SI-13).
  static let attemptWindow = Duration.seconds(3600)

  /// Accounts and addresses whose attempts are counted at a time: some kilobytes of memory.
  static let attemptKeys = 256

  /// The life of a nonce: as long as a person needs with Apple's sheet, and a second factor.
  static let nonceLife = Duration.seconds(600)

  /// Nonces that are issued and not yet used.
  static let outstandingNonces = 64

  /// Bytes of an identity token or refresh token that is handed in: identity tokens have about 1 KiB.
  static let tokenLength = 16 * 1024
}

/// Bounds of one loopback listener, each with its reason.
struct LoopbackBounds: Sendable {
  /// Bytes of a request, line and headers: a callback address of 8 KiB, and as much as servers usually take for the
  /// headers: browsers send along the cookies of every other server on 127.0.0.1, whatever its port.
  var requestBytes = 40 * 1024

  /// Connections at a time: a browser opens a handful, some of them ahead of need.
  var connections = 16

  /// How long a connection may take for its request: browsers send it at once, and close what they opened ahead of need
  /// after about ten seconds.
  var requestTime = TimeAmount.seconds(10)

  /// How long an answer may take: two exchanges with the server, of 12 s each at most, and some.
  var answerTime = TimeAmount.seconds(40)

  /// Connections that wait to be accepted: as many as are served.
  static let backlog: Int32 = 16
}

/// Bounds of the profile, each with its reason.
package enum ProfileBounds {
  /// Bytes of a profile, each way, as JSON: it has to fit a line of the socket's protocol (64 KiB) however its characters are
  /// escaped there, and names, settings and a picture's address have some kilobytes.
  static let size = 32 * 1024

  /// Bytes of a name that is kept: longer ones are no names.
  package static let nameLength = 256

  /// Profiles that are read side by side in the background: a thousand accounts at a start are no reason to storm an API.
  static let readers = 4
}
