import NIOCore

/// The body of a request on its way to the server, with back-pressure. Up to 1 MiB is kept for a
/// second attempt. Bound to the event loop of its connection.
struct UploadBody {
  /// A few pieces, because small ones are joined.
  private var queue: [ByteBuffer] = []
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
    queue.join(piece)
    queuedBytes += piece.readableBytes
    guard kept != nil else { return }
    keptBytes += piece.readableBytes
    if keptBytes <= EgressLimits.maxKeptBytes { kept?.join(piece) } else { kept = nil }
  }

  mutating func end() { isEnded = true }

  /// True if nothing is left to be sent.
  var isFinished: Bool { isEnded && queue.isEmpty }

  /// Forgets what is kept, when no second attempt can follow.
  mutating func release() { kept = nil }

  /// Starts from the beginning, for another attempt. Requires `canReplay`.
  mutating func rewind() {
    guard let kept else { return }
    queue = kept
    queuedBytes = keptBytes
    takenBytes = 0
  }

  /// Takes the next piece. Nil if none is there.
  mutating func take() -> ByteBuffer? {
    guard !queue.isEmpty else { return nil }
    let piece = queue.removeFirst()
    queuedBytes -= piece.readableBytes
    takenBytes += piece.readableBytes
    return piece
  }
}

extension [ByteBuffer] {
  /// Appends `piece`, as a part of the last one if both are small.
  fileprivate mutating func join(_ piece: ByteBuffer) {
    guard !isEmpty, self[count - 1].join(piece) else { return append(piece) }
  }
}
