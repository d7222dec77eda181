import Foundation
import Graft

/// What it costs to read through typed handles and columns, and to change one object.
struct HandleTrial {
  let count: Int
  let runs: Int

  func run() throws -> [Bar] {
    let store = try GraphStore(for: Item.self)
    try store.importJSON(Item.self, from: Item.document(0..<count))
    let objects = store.graph.objects(Item.self)
    let values = Double(count * Item.attributeCount)
    let reading = try best { Self.readAll(objects) } / values
    let sum = try best { objects.column(\.count).reduce(0, &+) }
    let commit = try best { try Self.commit(100, to: store) } / 100
    return [
      Bar(name: "read an attribute of an object", value: reading * 1e9, unit: "ns", bar: 100),
      Bar(name: "sum an integer of all objects", value: sum * 1e3, unit: "ms"),
      Bar(name: "take a snapshot and commit a change", value: commit * 1e6, unit: "µs", bar: 50),
    ]
  }

  /// Reads all attributes of all objects, texts included.
  private static func readAll(_ objects: Objects<Item>) -> Int {
    var sum = 0
    for object in objects {
      sum &+= Int(object.id)
      sum &+= object.name.utf8.count
      sum &+= object.note?.utf8.count ?? 0
      sum &+= Int(object.score)
      sum &+= object.count
      sum &+= object.isOpen ? 1 : 0
      sum &+= Int(object.madeAt.timeIntervalSinceReferenceDate)
    }
    return sum
  }

  /// Changes objects here and there, a commit for each.
  private static func commit(_ changes: Int, to store: GraphStore) throws -> Int {
    var sum = 0
    for change in 0..<changes {
      let graph = store.graph
      let id = Int64((change &* 7_919) % graph.count(of: Item.self))
      try store.write { try $0.object(Item.self, id: id)?.count += 1 }
      sum &+= graph.count(of: Item.self)
    }
    return sum
  }

  /// The seconds of the best run; what is returned keeps the work from being left out.
  private func best(_ body: () throws -> some Hashable) throws -> Double {
    var best = Double.infinity
    var results = Hasher()
    for _ in 0..<runs {
      best = min(best, try ContinuousClock().measure { results.combine(try body()) }.seconds)
    }
    withExtendedLifetime(results.finalize()) {}
    return best
  }
}
