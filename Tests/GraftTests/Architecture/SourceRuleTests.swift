import Foundation
import Testing

@Suite struct `Every source file` {
  @Test func `neither forces a try nor switches off the rule against forced unwrapping`() {
    let places = SourceTree.everything.filter { !$0.path.hasPrefix("Tests/") }.flatMap { file in
      file.places { $0.contains("try!") }
        + file.lines.indices.filter { file.lines[$0].contains("ignore: NeverForceUnwrap") }
        .map(file.place)
    }
    #expect(places == [])
  }

  @Test(arguments: ["@unchecked Sendable", "nonisolated(unsafe)"])
  func `explains beside it why an escape from the compiler's checks is safe`(_ escape: String) {
    let unexplained = SourceTree.everything.flatMap { file in
      file.code.indices
        .filter { file.code[$0].contains(escape) && !file.isExplained($0) }
        .map(file.place)
    }
    #expect(unexplained == [])
  }

  @Test func `is finished`() {
    let marks = ["TO" + "DO", "FIX" + "ME", "XX" + "X:"]
    let places = SourceTree.everything.flatMap { file in
      file.lines.indices
        .filter { index in marks.contains { file.lines[index].contains($0) } }
        .map(file.place)
    }
    #expect(places == [])
  }

  @Test func `is built without unsafe flags`() throws {
    let manifest = SourceTree.root.appendingPathComponent("Package.swift")
    #expect(try !String(contentsOf: manifest, encoding: .utf8).contains("unsafeFlags"))
  }
}

extension SourceFile {
  /// Whether a comment stands on the line or directly above the declaration that it belongs to.
  fileprivate func isExplained(_ index: Int) -> Bool {
    if lines[index].contains("//") { return true }
    let above = lines[..<index].reversed()
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .first { !$0.hasPrefix("@") && !$0.isEmpty }
    return above?.hasPrefix("//") ?? false
  }
}
