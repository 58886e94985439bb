import Testing

@Suite struct SourceFileTests {
  @Test(arguments: [
    ("import Glibc", ["Glibc"]),
    ("@testable import AgentCore", ["AgentCore"]),
    ("@preconcurrency public import NIOCore // why", ["NIOCore"]),
    ("@_spi(Testing) internal import Logging", ["Logging"]),
    ("import struct FoundationEssentials.Data", ["FoundationEssentials"]),
    ("#if canImport(X)\n  import X\n#endif\nimport Y", ["X", "Y"]),
    ("// import Nothing", []),
    ("let text = \"import Nothing\"", []),
    ("let text = \"\"\"\nimport Nothing\n\"\"\"\nimport Something", ["Something"]),
    ("importer()", []),
  ])
  func imports(text: String, modules: [String]) {
    #expect(SourceFile(path: "A.swift", text: text).imports == modules)
  }
}
