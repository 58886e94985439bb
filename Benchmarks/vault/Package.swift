// swift-tools-version: 6.2
import PackageDescription

/// Measures the cost of the vault against the cost of its disk and libsodium. It links the vault
/// itself, so it is separate from the C programs.
let package = Package(
  name: "ritual-agent-vault-benchmark",
  dependencies: [.package(name: "ritual-agent", path: "../..")],
  targets: [
    .systemLibrary(name: "CSodiumBaseline", path: "Sources/CSodium", pkgConfig: "libsodium"),
    .executableTarget(
      name: "vault-cost", dependencies: ["CSodiumBaseline", .product(name: "SessionVault", package: "ritual-agent")]),
  ]
)
