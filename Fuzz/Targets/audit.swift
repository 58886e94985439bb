// A file of the audit log: each line is read or rejected, and a line that was read is encoded to
// the same bytes.
//
// Compiled into one module with the line of AccessControl/Audit.

import AgentProtocol
import FoundationEssentials
import SessionVault

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAudit(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let (lines, torn) = AuditLine.split(bytes)
  precondition(lines.reduce(torn) { $0 + $1.count + 1 } == bytes.count, "bytes are lost between lines")
  for line in lines { check(line) }
  // The end of a line is hard to guess, so it is appended here to reach the number before it.
  let mac = String(repeating: "ab", count: ChainKey.macLength)
  if !bytes.contains(UInt8(ascii: "\n")) { check(AuditLine.line(bytes, mac).dropLast()) }
  return 0
}

private func check(_ line: ArraySlice<UInt8>) {
  guard let read = AuditLine(line) else { return }
  precondition(line.count <= AuditLine.maxLength, "longer than a line may be")
  precondition(AuditLine.line(read.body, read.mac) == line + [UInt8(ascii: "\n")], "read otherwise than written")
  precondition(
    read.body.starts(with: Array(#"{"sequence":\#(read.sequence),"#.utf8)), "another number than the one that it says")
  if let entry = read.entry { precondition(entry.sequence == read.sequence, "the entry has another number") }
}
