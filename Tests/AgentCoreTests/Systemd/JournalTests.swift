import FoundationEssentials
import Glibc
import Logging
import Testing

@testable import AgentCore
@testable import SessionEngine

@Suite struct JournalTests {
  @Test func namesOfEventsAreWrittenDown() throws {
    // The repository's root, four levels above this file.
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(contentsOfFile: root.path + "/docs/systemd.md", encoding: .utf8)
    for event in JournalEvent.allCases {
      #expect(page.contains("`\(event.rawValue)`"), "docs/systemd.md does not name \(event.rawValue)")
    }
  }

  @Test func anEventIsAddedToWhatALineIsAbout() {
    let metadata = JournalEvent.sessionEnded.with(["account": "work"])
    #expect(metadata == ["account": "work", "event": "session_ended"])
  }

  @Test func fieldsHaveNamesThatTheJournalTakes() {
    var entry = JournalEntry("two\nlines", priority: LOG_NOTICE, identifier: "ritual-test")
    entry.add("RITUAL_two words", "v")
    #expect(
      entry.fields == ["MESSAGE=two\nlines", "PRIORITY=5", "SYSLOG_IDENTIFIER=ritual-test", "RITUAL_TWO_WORDS=v"])
  }
}
