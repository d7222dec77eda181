import Foundation
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

/// A handle on a database knows the model with which it was opened.
@Suite struct `A database whose model another process changes` {
  private func model(_ first: String, _ second: String) throws -> GraphModel {
    try GraphModel(
      entities: [
        .make(
          "T",
          [
            .make(first, .string, ["renamingIdentifier": "a"]),
            .make(second, .string, ["renamingIdentifier": "b"]),
          ])
      ], dialect: .graft)
  }

  @Test(arguments: DatabaseKind.present)
  func `is not read by the former model`(kind: DatabaseKind) throws {
    let place = try TrialDatabase(kind)
    let old = try GraphModel(
      entities: [.make("T", [.make("a"), .make("b")])], dialect: .graft)
    let database = try place.open(old)
    try database.write {
      _ = try $0.insert("T", ["id": .integer(1), "a": .string("x"), "b": .string("y")])
    }
    #expect(try database.objects("T").first?["a"] == .string("x"))
    // The names are exchanged.
    let changed = try place.open(model("b", "a"))
    #expect(try changed.objects("T").first?["a"] == .string("y"))
    var messages: [String] = []
    func read(_ body: () throws -> Void) {
      do {
        try body()
        messages.append("no error")
      } catch {
        messages.append("\(error)")
      }
    }
    read { _ = try database.objects("T") }
    read { _ = try database.object("T", identifiedBy: ["id": .integer(1)]) }
    read { _ = try database.count(of: "T") }
    read { _ = try database.graph() }
    read { _ = try database.rows("SELECT a FROM \"T\"") }
    read { _ = try DatabasePages(database, pageSize: 10) }
    // A column that is no longer there.
    let renamed = try place.open(
      GraphModel(entities: [.make("T", [.make("c"), .make("d")])], dialect: .graft))
    read { _ = try database.objects("T", where: .attribute("a", equals: .string("x"))) }
    let isRight = messages.allSatisfy { $0.contains("its model was changed by another process") }
    #expect(isRight, "\(messages)")
    #expect(try renamed.objects("T").count == 1)
  }
}
