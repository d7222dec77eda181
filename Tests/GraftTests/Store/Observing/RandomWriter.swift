@testable import Graft
@testable import GraftTestSupport

/// Writes to a library what chance says: texts of all lengths, links, deletions, things taken back.
struct RandomWriter {
  var random: SeededGenerator
  private var count: Int64 = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Makes one commit of up to 40 changes.
  mutating func write(to store: GraphStore) throws {
    try store.write { graph in
      for _ in 0..<Int.random(in: 1...40, using: &random) { try change(graph) }
    }
  }

  private mutating func change(_ graph: MutableGraph) throws {
    switch Int.random(in: 0..<12, using: &random) {
    case 0...2:
      count += 1
      try graph.insert("Book", ["code": .string("b\(count)")])
    case 3:
      count += 1
      try graph.insert("Person", ["name": .string("p\(count)"), "born": .integer(count)])
    case 4...6: any(graph, "Book")?["title"] = .string(text())
    case 7: any(graph, "Book")?["isbn"] = Bool.random(using: &random) ? nil : .string("978-01")
    case 8:
      guard let person = any(graph, "Person"), let book = any(graph, "Book") else { return }
      try book.insert(person, at: 0, into: "authors")
    case 9:
      guard let book = any(graph, "Book") else { return }
      try book.setObjects(book.objects("authors").dropFirst(), of: "authors")
    case 10: any(graph, "Person")?["born"] = .integer(.random(in: 0...3, using: &random))
    default: try any(graph, Bool.random(using: &random) ? "Book" : "Person")?.delete()
    }
  }

  private mutating func any(_ graph: MutableGraph, _ entity: String) -> MutableGraphObject? {
    (try? graph.objects(entity)).map { Array($0) }?.randomElement(using: &random)
  }

  private mutating func text() -> String {
    String(repeating: "x", count: .random(in: 2...20, using: &random))
  }
}
