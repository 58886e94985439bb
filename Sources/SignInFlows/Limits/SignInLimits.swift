import NIOCore
import SystemSupport

/// Limits of sign-in flows, each with its reason.
package enum SignInLimits {
  /// The lifetime of a flow. The server discards a flow 300 s after the browser opened
  /// `/authorize`, exchange included.
  static let flowLifetime = Duration.seconds(300)

  /// The time that an organization's identity provider has for single sign-on: the server's default.
  static let ssoPageLifetime = Duration.seconds(120)

  /// The lifetime of a single sign-on: the identity provider's time, and the server's 300 s for the exchange.
  static let ssoLifetime = ssoPageLifetime + flowLifetime

  /// The lifetime of a flow that waits for a mailed code: the server's default for the code.
  static let mailLifetime = Duration.seconds(86_400)

  /// The lifetime of a flow that waits for a texted code. The server's default for a code is 60 s; projects set more.
  static let textLifetime = Duration.seconds(3600)

  /// The time for which the sign-in page waits after a code was sent. Its flow keeps the account busy.
  static let pageCodeLifetime = Duration.seconds(900)

  /// The time for which the page asks for a second factor: the lifetime of a challenge at the server.
  static let secondFactorLifetime = Duration.seconds(300)

  /// The server's default pause between two codes for one address.
  static let resendPause = Duration.seconds(60)

  /// The maximum number of flows that wait for a code, counted apart from the others because they live for hours. The
  /// oldest is ended to make room; its code still works with the address.
  static let maxCodeFlows = 16

  /// The time after a flow's end for which its result can be requested: a client that lost its
  /// connection reconnects within seconds.
  static let resultLifetime = Duration.seconds(60)

  /// The time for which a loopback listener outlives its flow, so that the browser can load the
  /// final page. A browser follows a redirect within about a second.
  static let listenerGrace = Duration.seconds(10)

  /// The maximum number of ports of ended flows, each kept until its flow's deadline. Each port
  /// costs two descriptors.
  static let maxKeptPorts = 32

  /// The time limit for unlinking a declined identity when a flow ends: a lock has 3 s in
  /// total.
  static let unlinkTimeout = Duration.seconds(2)

  /// The maximum number of running flows. Each holds a port, and a person signs in to one account
  /// at a time.
  static let maxRunningFlows = 16

  /// The maximum number of stored flows, ended flows included.
  static let maxStoredFlows = 64

  /// The number of rejected callbacks that ends a flow.
  static let maxCallbackFailures = 5

  /// The maximum length of a callback URL, in bytes. The server's URLs have about 200.
  static let maxCallbackLength = 8 * 1024

  /// The maximum size of a form, in bytes: an email address and a password, at worst three bytes
  /// for each of their bytes.
  static let maxFormLength = 4 * 1024

  /// The time for which a page waits for a result before it shows progress. Most results arrive at
  /// once, and people notice a delay after about one second.
  static let maxPageDelay = Duration.seconds(1)

  /// The time for which one request of the progress page is held: shorter than the connection's own
  /// limit of 40 s.
  static let maxProgressDelay = Duration.seconds(20)

  /// The random bytes in `state`, verifier and launch URL: 256 bits.
  static let secretBytes = 32

  /// The lifetime of a nonce: enough time for a person to complete Apple's sheet and a second
  /// factor.
  static let nonceLifetime = Duration.seconds(600)

  /// The maximum number of issued, unused nonces.
  static let maxOutstandingNonces = 64

  /// The maximum size of a caller's identity token or refresh token, in bytes. Identity tokens have
  /// about 1 KiB.
  static let maxTokenLength = 16 * 1024
}

/// Limits of one loopback listener, each with its reason.
struct LoopbackLimits: Sendable {
  /// The maximum size of a request, in bytes: a callback URL of 8 KiB and the usual server limit
  /// for headers. Browsers send the cookies of every server on 127.0.0.1, whatever its port.
  var maxRequestBytes = 40 * 1024

  /// The maximum number of connections: a browser opens a handful, some of them speculatively.
  var maxConnections = 16

  /// The time limit for receiving a request. Browsers send requests at once, and close speculative
  /// connections after about ten seconds.
  var requestTimeout = TimeAmount.seconds(10)

  /// The time limit for sending a response: twice the 20 s for which a progress request is held.
  var responseTimeout = TimeAmount.seconds(40)
}

/// Limits of the profile, each with its reason.
package enum ProfileLimits {
  /// The maximum size of a profile as JSON, in bytes, in each direction. A profile must fit a line
  /// of the socket's protocol (64 KiB) however its characters are escaped there. Names, settings
  /// and a picture's URL have a few kilobytes.
  static let maxSize = 32 * 1024

  /// The maximum size of a stored name, in bytes; real names are shorter.
  package static let maxNameLength = 256

  /// The maximum number of profiles read concurrently in the background, so that a start with a
  /// thousand accounts does not flood an API.
  static let maxConcurrentReads = 4
}
