import NIOCore

/// What waits, by the process that it came from: processes take turns, and what is of one process goes in its order. A value.
struct ProcessTurns<Element> {
  /// None is empty.
  private var waiting: [Int32: CircularBuffer<Element>] = [:]
  /// Those of which something waits, in the order of their turns.
  private(set) var processes = CircularBuffer<Int32>()
  private(set) var count = 0

  var isEmpty: Bool { processes.isEmpty }

  mutating func append(_ element: Element, of process: Int32) {
    if waiting[process] == nil { processes.append(process) }
    waiting[process, default: CircularBuffer()].append(element)
    count += 1
  }

  /// The next, and its process. A process that is not ready is passed over.
  mutating func popFirst(where isReady: (Int32) -> Bool = { _ in true }) -> (process: Int32, element: Element)? {
    for _ in 0..<processes.count {
      let process = processes.removeFirst()
      if isReady(process) { return take(of: process) }
      processes.append(process)
    }
    return nil
  }

  private mutating func take(of process: Int32) -> (process: Int32, element: Element)? {
    guard var its = waiting.removeValue(forKey: process), let element = its.popFirst() else { return nil }
    count -= 1
    if !its.isEmpty {
      waiting[process] = its
      processes.append(process)
    }
    return (process, element)
  }
}
