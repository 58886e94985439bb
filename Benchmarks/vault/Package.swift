// swift-tools-version: 6.2
import PackageDescription

/// What the vault costs beside what its disk and libsodium cost. Links the vault itself, so it is apart from the programs in C.
let package = Package(
  name: "ritual-agent-vault-benchmark",
  dependencies: [.package(name: "ritual-agent", path: "../..")],
  targets: [
    .systemLibrary(name: "CSodiumBaseline", path: "Sources/CSodium", pkgConfig: "libsodium"),
    .executableTarget(
      name: "vault-cost", dependencies: ["CSodiumBaseline", .product(name: "SessionVault", package: "ritual-agent")]),
  ]
)
