import CommandLineSupport
import Foundation
import Graft
import GraftExport

/// Measures the cost of the graph: uniquing, reading, writing and export.
struct GraphTrial {
  private let options: Options

  init(_ options: Options) {
    self.options = options
  }

  /// The objects of a store: a million at the size that is usual.
  private var count: Int { max(options.size / 100, 1) }

  func run() throws -> [Bar] {
    try UniquingTrial(count: count, runs: options.runs).run()
      + HandleTrial(count: count, runs: options.runs).run()
      + ExportTrial(options).run()
  }
}

/// A figure, and the limit that it is held to.
struct Bar: Codable {
  let name: String
  let value: Double
  let unit: String
  /// The limit that the value is held to; nil if there is none.
  var bar: Double?
  /// Whether more is better.
  var isFloor = false

  var isMet: Bool? { bar.map { isFloor ? value >= $0 : value <= $0 } }
}

/// The cost of finding objects again, and of an identity that comes last in its object.
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
      Bar(name: "insert \(Amount.number(count)) objects", value: insert, unit: "s"),
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

/// The cost of reading typed handles and columns, and of changing one object.
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

  /// Reads all attributes of all objects, strings included.
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

  /// Returns the seconds of the best run.
  ///
  /// The results are combined so that the work is not optimised away.
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

/// Measures the export of the feed's tweets as JSON.
struct ExportTrial {
  private let options: Options

  init(_ options: Options) {
    self.options = options
  }

  func run() throws -> [Bar] {
    let store = GraphStore(model: try TimelineModel.make())
    let importer = try store.makeImporter(entity: "Tweet", at: "statuses")
    var feed = TimelineFeed(size: options.size)
    while let piece = feed.nextPiece() { try importer.parse(piece) }
    _ = try importer.finish()
    let exporter = try JSONExporter(model: store.model)
    var best = 0.0
    for _ in 0..<options.runs {
      var byteCount = 0
      let duration = try ContinuousClock().measure {
        try exporter.write(.entity("Tweet", of: store.graph)) { byteCount += $0.byteCount }
      }
      best = max(best, Double(byteCount) / 1e6 / duration.seconds)
    }
    return [
      Bar(name: "export the feed's tweets", value: best, unit: "MB/s", bar: 300, isFloor: true)
    ]
  }
}

/// An object of the trials that need many of one kind.
struct Item: Entity {
  let id = Attribute<Int64>()
  let name = Attribute<String>()
  let note = Attribute<String?>()
  let score = Attribute<Double>()
  let count = Attribute<Int>()
  let isOpen = Attribute<Bool>()
  let madeAt = Attribute<Date>(format: "unix")
  static let identity = [\Self.id]

  /// The attributes that an object has.
  static let attributeCount = 7

  /// The position of the identity in an object.
  enum IdentityPlace {
    case first
    case last
  }

  /// Returns a document of objects, one per number.
  static func document(_ numbers: Range<Int>, identity: IdentityPlace = .first) -> Data {
    var json = JSONBytes()
    json.raw("[")
    for number in numbers {
      if number > numbers.lowerBound { json.raw(",") }
      json.raw("{")
      if identity == .first { json.raw(#""id":\#(number),"#) }
      json.raw(
        #""name":"item \#(number)","note":"nothing much to say about \#(number)","score":"#
          + #"\#(number).5,"count":\#(number % 1000),"isOpen":true,"madeAt":\#(number)"#)
      if identity == .last { json.raw(#","id":\#(number)"#) }
      json.raw("}")
    }
    json.raw("]")
    return Data(json.bytes)
  }
}
