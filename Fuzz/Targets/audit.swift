// A file of the audit log: its lines are read or not, and what is read is what would be written.
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
  // Its end is hard to guess: so it is put behind what comes, and the number before it is reached.
  let mac = [UInt8](repeating: 0xAB, count: ChainKey.macLength)
  if !bytes.contains(UInt8(ascii: "\n")) { check(AuditLine.line(bytes, mac).dropLast()) }
  return 0
}

private func check(_ line: ArraySlice<UInt8>) {
  guard let read = AuditLine(line) else { return }
  precondition(line.count <= AuditLine.longest, "longer than a line may be")
  precondition(AuditLine.line(read.body, read.mac) == line + [UInt8(ascii: "\n")], "read otherwise than written")
  precondition(
    read.body.starts(with: Array(#"{"sequence":\#(read.sequence),"#.utf8)), "another number than the one that it says")
  if let entry = read.entry { precondition(entry.sequence == read.sequence, "the entry has another number") }
}
