import Testing

@testable import GraftTestSupport

/// Code of the documentation is compiled and run: every block of Swift stands, line for line, in a
/// file of this folder or of an example.
///
/// Code of other libraries is fenced as `objc` or `text`.
@Suite struct `Swift in the documentation` {
  private static let blocks = Page.all.flatMap(\.blocks).filter { $0.language == "swift" }

  private static let files = SourceTree.everything
    .filter {
      $0.path.hasPrefix("Tests/GraftToolTests/Documentation/") || $0.path.hasPrefix("Examples/")
    }
    .map { significant($0.lines) }

  /// Returns lines without their indentation, and without empty lines.
  private static func significant(_ lines: [String]) -> [String] {
    lines.map { String($0.trimmingPrefix { $0 == " " }) }.filter { !$0.isEmpty }
  }

  /// Whether a file has the lines of a block one below the other, and its imports anywhere.
  private static func isCode(_ block: [String], of file: [String]) -> Bool {
    let imports = block.prefix { $0.hasPrefix("import ") }
    let body = Array(block.dropFirst(imports.count))
    guard imports.allSatisfy(file.contains) else { return false }
    guard let first = body.first else { return true }
    return file.indices.contains { index in
      file[index] == first && file[index...].starts(with: body)
    }
  }

  @Test func `is there`() {
    #expect(Self.blocks.count > 40)
    #expect(Page.all.count > 15)
  }

  @Test(arguments: blocks)
  func `is code of the tests`(_ block: Page.Block) {
    let lines = Self.significant(block.lines)
    #expect(!lines.isEmpty)
    #expect(Self.files.contains { Self.isCode(lines, of: $0) }, "\(block.text)")
  }

  @Test func `is found only where it is the same`() {
    let file = Self.significant(["import Graft", "func f() {", "  let a = 1", "", "  g(a)", "}"])
    #expect(Self.isCode(["let a = 1", "g(a)"], of: file))
    #expect(Self.isCode(["import Graft", "g(a)"], of: file))
    #expect(!Self.isCode(["let a = 1", "g(b)"], of: file))
    #expect(!Self.isCode(["import Foundation", "g(a)"], of: file))
    #expect(!Self.isCode(["g(a)", "}", "}"], of: file))
  }
}
