import Foundation
import Testing

@testable import GraftTestSupport

@Suite(.waits) struct `A manifest of the documentation` {
  @Test(arguments: Manifest.allCases)
  func `is one that the package manager reads`(_ manifest: Manifest) throws {
    let file = try TemporaryFile(manifest.text, name: "Package.swift")
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "swift", "package", "--package-path", file.url.deletingLastPathComponent().path,
      "dump-package",
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let json = try #require(try output.fileHandleForReading.readToEnd())
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(String(decoding: json, as: UTF8.self).contains("https://example.org/graft.git"))
  }
}
