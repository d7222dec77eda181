import Foundation
import Testing

@testable import GraftTestSupport

@Suite struct `Every source file` {
  @Test func `neither forces a try nor switches off the rule against forced unwrapping`() {
    let files = SourceTree.everything.filter { !$0.path.hasPrefix("Tests/") }
    #expect(places(in: files, of: ["try!", "ignore: NeverForceUnwrap"]) == [])
  }

  @Test(arguments: ["@unchecked" + " Sendable", "nonisolated(" + "unsafe)"])
  func `explains beside it why an escape from the compiler's checks is safe`(_ escape: String) {
    let unexplained = SourceTree.everything.flatMap { file in
      file.lines(with: [escape]).filter { !file.isExplained($0) }
        .map { "\(file.path):\($0 + 1)" }
    }
    #expect(unexplained == [])
  }

  @Test func `is finished`() {
    #expect(places(in: SourceTree.everything, of: ["TO" + "DO", "FIX" + "ME", "XX" + "X:"]) == [])
  }

  @Test func `of the library stops the program only with a message that release builds print too`()
  {
    #expect(places(in: SourceTree.library, of: ["precondition(", "preconditionFailure("]) == [])
  }

  @Test func `of the library reads no environment variable of its own`() {
    // libpq's variables, and where a system keeps its certificates, are not of its own.
    let files = SourceTree.library.filter {
      !$0.path.hasPrefix("Sources/GraftPostgres/") && !$0.path.hasSuffix("/CurlTransfer.swift")
    }
    #expect(places(in: files, of: ["getenv", ".environment"]) == [])
    #expect(places(in: SourceTree.library, of: ["GRAFT_"]) == [])
  }

  @Test func `is built without unsafe flags`() throws {
    let manifest = SourceTree.root.appendingPathComponent("Package.swift")
    #expect(try !String(contentsOf: manifest, encoding: .utf8).contains("unsafeFlags"))
  }

  private func places(in files: [SourceFile], of words: [String]) -> [String] {
    files.flatMap { file in file.lines(with: words).map { "\(file.path):\($0 + 1)" } }
  }
}

extension SourceFile {
  /// Whether a comment is on the line or directly above the declaration that it belongs to.
  fileprivate func isExplained(_ index: Int) -> Bool {
    if lines[index].contains("//") { return true }
    let above = lines[..<index].reversed()
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .first { !$0.hasPrefix("@") && !$0.isEmpty }
    return above?.hasPrefix("//") ?? false
  }
}
