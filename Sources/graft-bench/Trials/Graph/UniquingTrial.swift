import Foundation
import Graft

/// What it costs to find objects again, and to learn their identity late.
struct UniquingTrial {
  let count: Int
  let runs: Int

  func run() throws -> [Bar] {
    let first = Item.document(0..<count)
    let last = Item.document(0..<count, identity: .last)
    var insert = Double.infinity
    var unique = Double.infinity
    var late = Double.infinity
    for _ in 0..<runs {
      let store = try GraphStore(for: Item.self)
      insert = min(insert, try seconds(of: first, into: store))
      unique = min(unique, try seconds(of: first, into: store))
      late = min(late, try seconds(of: last, into: GraphStore(for: Item.self)))
    }
    return [
      Bar(name: "insert \(count.grouped) objects", value: insert, unit: "s"),
      Bar(name: "unique as many against them", value: unique / insert, unit: "×", bar: 1.5),
      Bar(name: "insert with the identity last", value: late / insert, unit: "×", bar: 1.3),
    ]
  }

  private func seconds(of document: Data, into store: GraphStore) throws -> Double {
    try ContinuousClock().measure {
      _ = try store.importJSON(Item.self, from: document)
    }.seconds
  }
}
