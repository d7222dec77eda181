import Foundation
import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftTestSupport

@Suite struct `The localized description` {
  private static func thrown(_ body: () throws -> Void) -> (any Error)? {
    do {
      try body()
      return nil
    } catch {
      return error
    }
  }

  static let errors: [(any Error)?] = [
    thrown { _ = try JSONPath(["a", "b"].joined(separator: "..")) },
    thrown { _ = try GraphModel(entities: []) },
    thrown { _ = try Tweet.store().graph.objects("Nobody") },
    thrown { try Tweet.store().importJSON(Tweet.self, from: Data("[1".utf8)) },
    thrown {
      let parser = YAJLParser()
      try parser.parse(Data("[,".utf8))
      try parser.finish()
    },
    ExportError(.model, "the model has no entity \"A\""),
    ImportSourceError(.connection, source: "feed.json", message: "the connection broke"),
  ]

  @Test(arguments: errors.indices)
  func `of an error is its message`(_ number: Int) throws {
    let error = try #require(Self.errors[number])
    #expect(error.localizedDescription == "\(error)")
    #expect(!error.localizedDescription.isEmpty)
  }

  @Test func `is there for every public error`() throws {
    let pattern = #"public (?:struct|enum|class) (\w+): (?:Error|LocalizedError)\b"#
    var found = 0
    for file in SourceTree.everything where !file.path.hasPrefix("Tests/") {
      for (name, _) in file.code.matches(of: pattern) {
        found += 1
        #expect(
          file.code.contains("extension \(name): LocalizedError"),
          "\(file.path): \(name) has no localized description")
      }
    }
    #expect(found >= 7)
  }
}
