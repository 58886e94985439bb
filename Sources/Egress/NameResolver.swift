import Glibc
import NIOCore
import NIOPosix
import SupabaseAuth

/// Looks up the names of servers, each on a thread of its own. getaddrinfo(3) blocks as long as the name
/// servers are silent and cannot be cancelled, so a name must not wait for another one. Bound to its event loop.
final class NameResolver {
  struct Addresses: Sendable {
    var v4: [SocketAddress] = []
    var v6: [SocketAddress] = []
  }

  /// Maximum simultaneous lookups: more than the names of any configuration, unless the network changes
  /// often while the name servers are silent.
  private static let maxLookups = 32

  private let eventLoop: any EventLoop
  /// The lookups that further connections to the same name join.
  private var pending: [String: EventLoopPromise<Addresses>] = [:]
  private var running = 0

  init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  /// Returns the addresses of a host. For an IP address nobody is asked.
  func addresses(of host: String) -> EventLoopFuture<Addresses> {
    if let address = try? SocketAddress(ipAddress: host, port: 0) {
      return eventLoop.makeSucceededFuture(Addresses(address))
    }
    if let lookup = pending[host] { return lookup.futureResult }
    guard running < Self.maxLookups else {
      return eventLoop.makeFailedFuture(AuthError.unresolved(host, "too many lookups without an answer"))
    }
    let lookup = eventLoop.makePromise(of: Addresses.self)
    pending[host] = lookup
    begin(host, lookup)
    return lookup.futureResult
  }

  /// Lets later connections start lookups of their own: after a change of the network, the name servers of
  /// before may never answer.
  func forgetPending() { pending = [:] }

  private func begin(_ host: String, _ lookup: EventLoopPromise<Addresses>) {
    running += 1
    let (bound, eventLoop, thread) = (
      NIOLoopBound(self, eventLoop: eventLoop), eventLoop, NIOThreadPool(numberOfThreads: 1)
    )
    thread.start()
    thread.submit { _ in
      let result = Result { () throws(AuthError) in try Addresses(lookingUp: host) }
      eventLoop.execute {
        thread.shutdownGracefully { _ in }
        bound.value.ended(host, lookup)
        lookup.completeWith(result.mapError { $0 as any Error })
      }
    }
  }

  private func ended(_ host: String, _ lookup: EventLoopPromise<Addresses>) {
    running -= 1
    if pending[host]?.futureResult === lookup.futureResult { pending[host] = nil }
  }
}

extension NameResolver.Addresses {
  fileprivate init(_ address: SocketAddress) {
    if address.protocol == .inet6 { v6 = [address] } else { v4 = [address] }
  }

  /// Blocks until there is an answer.
  fileprivate init(lookingUp host: String) throws(AuthError) {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_protocol = Int32(IPPROTO_TCP)
    var first: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(host, nil, &hints, &first)
    guard status == 0 else { throw .unresolved(host, String(cString: gai_strerror(status))) }
    defer { freeaddrinfo(first) }
    var next = first
    while let entry = next?.pointee {
      next = entry.ai_next
      let address = UnsafeRawPointer(entry.ai_addr)
      switch entry.ai_family {
      case AF_INET: if let address { v4.append(SocketAddress(address.load(as: sockaddr_in.self), host: host)) }
      case AF_INET6: if let address { v6.append(SocketAddress(address.load(as: sockaddr_in6.self), host: host)) }
      default: break
      }
    }
  }
}

/// Addresses that are known already, for the bootstrap, which tries them one after the other (RFC 8305).
struct KnownAddresses: Resolver, Sendable {
  let addresses: NameResolver.Addresses
  let eventLoop: any EventLoop

  func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
    eventLoop.makeSucceededFuture(addresses.v4.map { $0.with(port) })
  }

  func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
    eventLoop.makeSucceededFuture(addresses.v6.map { $0.with(port) })
  }

  func cancelQueries() {}
}

extension SocketAddress {
  fileprivate func with(_ port: Int) -> SocketAddress {
    var address = self
    address.port = port
    return address
  }
}
