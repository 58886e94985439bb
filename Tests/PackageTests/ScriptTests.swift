import Foundation
import Glibc
import TestKit
import Testing

/// The scripts refuse an unknown option before they build or install anything. Each runs in a copy of the package
/// that was never built, where the programs that build or install only record their call.
@Suite(.timeLimit(.minutes(2))) struct ScriptTests {
  /// - Parameter more: Other programs by their names, as shell scripts.
  private func run(
    _ script: String, _ words: [String], more: [String: String] = [:]
  ) async throws -> (output: Output, begun: String) {
    try await withScratchDirectory { folder in
      let manager = FileManager.default
      try manager.copyItem(at: ThisPackage.directory.appending(path: "script"), to: folder.appending(path: "script"))
      let bin = folder.appending(path: "bin")
      for name in ["swift", "apt-get", "python3", "systemd-nspawn"] {
        let stub = """
          case "$*" in *--show-bin-path*) echo "$PWD/.build/programs"; exit ;; esac
          echo "$0 $*" >> '\(folder.path)/begun'
          exit 9
          """
        try await ShellScript.install(stub, as: bin.appending(path: name).path)
      }
      for (name, body) in more { try await ShellScript.install(body, as: bin.appending(path: name).path) }
      let program = try RunningProgram(
        "/bin/bash", [folder.path + "/script/" + script] + words,
        environment: ["PATH": bin.path + ":/usr/bin:/bin", "HOME": folder.path], folder: folder)
      let output = try await program.end(within: .seconds(60))
      return (output, (try? String(contentsOf: folder.appending(path: "begun"), encoding: .utf8)) ?? "")
    }
  }

  @Test("--help prints the usage, and begins nothing", arguments: ["release", "package", "install"], ["--help", "-h"])
  func printsUsage(script: String, option: String) async throws {
    let (output, begun) = try await run(script, [option])
    #expect(output.status == 0 && output.stdout.hasPrefix("usage: script/\(script) ["), "\(output)")
    #expect(begun == "")
  }

  @Test("an unknown option begins nothing")
  func refusesUnknownOptions() async throws {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: ThisPackage.directory.appending(path: "script").path)
    // The others are Python, or run in a container.
    let scripts = try names.filter { name in
      let isBash = try ThisPackage.text(of: "script/" + name).prefix { $0 != "\n" }.hasSuffix("bash")
      return isBash && !name.hasSuffix("-inside")
    }
    #expect(scripts.count > 15)
    for script in scripts.sorted() {
      let (output, begun) = try await run(script, ["--unknown"])
      #expect(output.status != 0 && begun == "", "\(script): \(output) \(begun)")
    }
  }

  @Test("an installation for one user is refused for root, before the build", .enabled(if: geteuid() == 0))
  func installsForOneUser() async throws {
    let (output, begun) = try await run("install", ["--user"])
    #expect(output.status == 1 && output.stderr.contains("you are root"), "\(output)")
    #expect(begun == "")
  }

  @Test("a person without root types one command for the packages of the build and of the toolchain")
  func namesAllPackages() async throws {
    let without = ["id": "echo 1000", "sudo": "exit 1", "dpkg-query": "exit 1"]
    let (output, _) = try await run("bootstrap", ["--build", "debhelper"], more: without)
    let command = output.stderr.split(separator: "\n").first { $0.hasPrefix("  sudo apt-get update && ") } ?? ""
    #expect(output.status == 1)
    #expect(["libncurses-dev", "libsodium-dev", "debhelper"].allSatisfy(command.contains), "\(output)")
  }

  @Test("packages without release programs are refused, with the command to run first")
  func packagesNeedPrograms() async throws {
    let (output, begun) = try await run("package", [])
    #expect(output.status == 1 && output.stderr.contains(": run script/release first"), "\(output)")
    #expect(begun == "")
  }
}
