import AsyncHTTPClient
import NIOCore

/// The body of a request on its way to the server, with back-pressure. Up to 1 MiB is kept for a
/// second attempt (EG-5). Bound to the event loop of its connection.
struct UploadBody {
  private var queue = CircularBuffer<ByteBuffer>()
  private var queuedBytes = 0
  private var kept: [ByteBuffer]? = []
  private var keptBytes = 0
  private var takenBytes = 0
  private(set) var isEnded = false

  /// True if the client may send more.
  var hasRoom: Bool { !isEnded && queuedBytes < EgressLimits.maxQueuedBytes }

  /// True if everything that was sent can be sent again.
  var canReplay: Bool { kept != nil || takenBytes == 0 }

  mutating func append(_ piece: ByteBuffer) {
    guard piece.readableBytes > 0 else { return }
    queue.append(piece)
    queuedBytes += piece.readableBytes
    guard kept != nil else { return }
    keptBytes += piece.readableBytes
    if keptBytes <= EgressLimits.maxKeptBytes { kept?.append(piece) } else { kept = nil }
  }

  mutating func end() { isEnded = true }

  /// Forgets what is kept, when no second attempt can follow.
  mutating func release() { kept = nil }

  /// Starts from the beginning, for another attempt. Requires `canReplay`.
  mutating func rewind() {
    guard let kept else { return }
    queue = CircularBuffer(kept)
    queuedBytes = keptBytes
    takenBytes = 0
  }

  /// Takes the next piece; small pieces are joined. Nil if none is there.
  mutating func take() -> ByteBuffer? {
    guard var piece = queue.popFirst() else { return nil }
    while piece.readableBytes < EgressLimits.joinedPiece, let next = queue.popFirst() {
      piece.writeImmutableBuffer(next)
    }
    queuedBytes -= piece.readableBytes
    takenBytes += piece.readableBytes
    return piece
  }
}

/// Writes an `UploadBody` to one request of the HTTP client. Bound to the event loop.
final class UploadPump {
  private let writer: HTTPClient.Body.StreamWriter
  private let done: EventLoopPromise<Void>
  private let eventLoop: any EventLoop
  private var isWriting = false
  private var isOver = false

  init(_ writer: HTTPClient.Body.StreamWriter, on eventLoop: any EventLoop) {
    self.writer = writer
    self.eventLoop = eventLoop
    done = eventLoop.makePromise()
  }

  /// Completes when the body has ended and was written.
  var finished: EventLoopFuture<Void> { done.futureResult }

  /// True if another piece can be written.
  var isReady: Bool { !isWriting && !isOver }

  /// Writes a piece.
  ///
  /// - Parameter written: called when the next piece can be written, perhaps at once.
  func write(_ piece: ByteBuffer, written: @escaping () -> Void) {
    isWriting = true
    writer.write(.byteBuffer(piece)).hop(to: eventLoop).assumeIsolated().whenComplete { result in
      self.isWriting = false
      switch result {
      case .success: written()
      case .failure(let error): self.end(.failure(error))
      }
    }
  }

  /// Ends the body after everything was written.
  func finish() { end(.success(())) }

  /// Ends the body early.
  func cancel() { end(.failure(CancellationError())) }

  private func end(_ result: Result<Void, any Error>) {
    guard !isOver else { return }
    isOver = true
    done.completeWith(result)
  }
}
