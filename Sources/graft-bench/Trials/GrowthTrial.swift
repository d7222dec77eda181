import CommandLineSupport
import Foundation
import Graft
import GraftExport

/// Measures the growth of time and memory with each quantity that a document or a model can make large.
///
/// Each kind of work is done at three sizes, ten times as much each time, in a process of its own. The
/// exponent belongs to the last step: 1 is linear growth, 2 means that ten times as much takes a
/// hundred times as long.
struct GrowthTrial {
  struct Line: Codable {
    let work: String
    let sizes: [Int]
    let seconds: [Double]
    let peakMemoryBytes: [Int]

    /// The exponent of the last step.
    var exponent: Double { log10(seconds[seconds.count - 1] / seconds[seconds.count - 2]) }
    var isLinear: Bool { exponent <= GrowthTrial.limit }
  }

  /// The measurement of one process.
  struct Measurement: Codable {
    let seconds: Double
    let peakMemoryBytes: Int
  }

  /// The greatest exponent that counts as linear: caches end, and trees get deeper.
  static let limit = 1.25

  private let options: Options

  init(_ options: Options) {
    self.options = options
  }

  func run() throws -> [Line] {
    try Work.allCases
      .filter { options.only.isEmpty || options.only.contains($0.rawValue) }
      .map { work in
        let sizes = [1, 10, 100].map { $0 * work.smallest }
        let measurements = try sizes.map { try measure(work, $0) }
        return Line(
          work: work.rawValue, sizes: sizes, seconds: measurements.map(\.seconds),
          peakMemoryBytes: measurements.map(\.peakMemoryBytes))
      }
  }

  /// Measures in child processes, as often as the options say; the best counts.
  private func measure(_ work: Work, _ size: Int) throws -> Measurement {
    let all = try (0..<options.runs).map { _ in
      let output = try ChildProcess.output(
        of: ChildProcess.thisProgram, arguments: ["--measure-growth", "\(work.rawValue):\(size)"])
      return try JSONDecoder().decode(Measurement.self, from: output)
    }
    return Measurement(
      seconds: all.map(\.seconds).min() ?? 0,
      peakMemoryBytes: all.map(\.peakMemoryBytes).min() ?? 0)
  }

  /// Carries out the work once, in the child process.
  ///
  /// - Parameter text: The work and its size, such as `objects:1000`.
  /// - Returns: A ``Measurement`` as JSON.
  /// - Throws: `UsageError` for work that is not known, and what the work throws.
  static func measureOnce(_ text: String) throws -> String {
    let parts = text.split(separator: ":").map(String.init)
    guard parts.count == 2, let work = Work(rawValue: parts[0]), let size = Int(parts[1]) else {
      throw UsageError("expected WORK:SIZE, found \(text)")
    }
    let seconds = try work.seconds(size)
    return try Figures.json(
      of: Measurement(seconds: seconds, peakMemoryBytes: PeakMemory.ofThisProcess()))
  }
}

extension GrowthTrial {
  /// Work whose size a document or a model decides.
  enum Work: String, CaseIterable {
    case objects
    case objectsAgain = "objects again"
    case missing = "missing objects deleted"
    case list = "a list in another order"
    case backwards = "a list from its other end"
    case stubs = "identifiers before their objects"
    case promotions = "identifiers before objects of a sub-entity"
    case deletions = "objects deleted one by one"
    case conflicts = "values that conflict"
    case keys = "unknown keys, with coverage"
    case entities = "entities of a model"
    case subentities = "sub-entities of one entity"
    case relationships = "relationships of one entity"
    case export

    var smallest: Int {
      switch self {
      case .objects, .objectsAgain, .missing, .list, .backwards, .stubs, .promotions, .deletions,
        .conflicts, .export:
        10_000
      case .keys: 1_000
      case .entities, .subentities, .relationships: 20
      }
    }

    /// Carries out the work.
    ///
    /// - Parameter size: The number of objects, members, keys, entities or relationships.
    /// - Returns: The seconds that it took, without what must be there before.
    /// - Throws: Graft's error.
    func seconds(_ size: Int) throws -> Double {
      switch self {
      case .objects:
        let document = Self.nodes(size)
        return try Self.measure(model: Self.nodeModel, "Node", [document])
      case .objectsAgain:
        let document = Self.nodes(size)
        return try Self.measure(model: Self.nodeModel, "Node", after: document, [document])
      case .missing:
        return try Self.measure(
          model: Self.nodeModel, "Node", after: Self.nodes(size), [Self.nodes(size / 2)]
        ) { $0.deletesMissing = true }
      case .list:
        let (forth, back) = (Self.list(0..<size), Self.list((0..<size).reversed()))
        return try Self.measure(model: Self.nodeModel, "Node", after: forth, [back])
      case .backwards:
        return try Self.measure(
          model: Self.nodeModel, "Node", [Self.nodes(size) { _ in #","parent":\#(size)"# }])
      case .stubs:
        return try Self.measure(
          model: Self.nodeModel, "Node", [Self.nodes(size) { #","parent":\#(size - 1 - $0)"# }])
      case .promotions:
        let (list, objects) = (Self.list(0..<size), Self.nodes(size))
        let leaf = EntityDescription(name: "Leaf", superentity: "Node")
        let store = GraphStore(model: try GraphModel(entities: Self.nodeModel() + [leaf]))
        return try Self.time {
          try store.importJSON(entity: "Node", from: list)
          try store.importJSON(entity: "Leaf", from: objects)
        }
      case .deletions:
        let store = GraphStore(model: try GraphModel(entities: Self.nodeModel()))
        try store.importJSON(entity: "Node", from: Self.list(0..<size))
        return try Self.time {
          try store.write { graph in
            for node in try graph.objects("Node").dropFirst() { try node.delete() }
          }
        }
      case .conflicts:
        return try Self.measure(
          model: Self.nodeModel, "Node",
          [Self.array(2 * size) { #"{"id":\#($0 % size),"name":"\#($0)"}"# }])
      case .keys:
        let keys = (0..<size).map { #","key\#($0)":1"# }.joined()
        return try Self.measure(model: Self.nodeModel, "Node", [Data("[{\"id\":1\(keys)}]".utf8)]) {
          $0.reportsCoverage = true
        }
      case .entities:
        return try Self.measure(
          model: {
            (0..<size).map { number in
              Self.entity(
                "E\(number)",
                [RelationshipDescription(name: "next", destination: "E\((number + 1) % size)")])
            }
          }, "E0", [Self.nodes(1)])
      case .subentities:
        return try Self.measure(
          model: {
            [Self.entity("E0")]
              + (1...size).map { EntityDescription(name: "E\($0)", superentity: "E0") }
          }, "E0", [Self.nodes(1)])
      case .relationships:
        return try Self.measure(
          model: {
            [
              Self.entity(
                "E0",
                (0..<size).map {
                  RelationshipDescription(name: "r\($0)", destination: "E0", isToMany: true)
                })
            ]
          }, "E0", [Self.nodes(1)])
      case .export:
        let store = GraphStore(model: try GraphModel(entities: Self.nodeModel()))
        try store.importJSON(entity: "Node", from: Self.nodes(size))
        return try Self.time { _ = try store.graph.json(of: "Node") }
      }
    }
  }
}

// Documents and models.
extension GrowthTrial.Work {
  private static func nodeModel() -> [EntityDescription] {
    [
      EntityDescription(
        name: "Node",
        attributes: [
          AttributeDescription(name: "id", type: .integer64),
          AttributeDescription(name: "name", type: .string),
        ],
        relationships: [
          RelationshipDescription(name: "parent", destination: "Node", inverse: "children"),
          RelationshipDescription(
            name: "children", destination: "Node", inverse: "parent", isToMany: true),
        ], identity: ["id"])
    ]
  }

  private static func entity(
    _ name: String, _ relationships: [RelationshipDescription] = []
  ) -> EntityDescription {
    EntityDescription(
      name: name, attributes: [AttributeDescription(name: "id", type: .integer64)],
      relationships: relationships, identity: ["id"])
  }

  private static func array(_ count: Int, _ element: (Int) -> String) -> Data {
    Data("[\((0..<count).lazy.map(element).joined(separator: ","))]".utf8)
  }

  private static func nodes(_ count: Int, _ more: (Int) -> String = { _ in "" }) -> Data {
    array(count) { #"{"id":\#($0),"name":"node \#($0)"\#(more($0))}"# }
  }

  private static func list(_ members: some Sequence<Int>) -> Data {
    Data(#"[{"id":-1,"children":\#(Array(members))}]"#.utf8)
  }

  /// Measures making a model and importing documents.
  ///
  /// - Parameters:
  ///   - model: Makes the entities.
  ///   - entity: The entity of the objects.
  ///   - before: A document to import before measuring begins; nil for none, and the model is measured too.
  ///   - documents: The documents.
  ///   - change: Changes the options of the imports.
  /// - Returns: The seconds.
  /// - Throws: Graft's error.
  private static func measure(
    model: () -> [EntityDescription], _ entity: String, after before: Data? = nil,
    _ documents: [Data], _ change: (inout ImportOptions) -> Void = { _ in }
  ) throws -> Double {
    var options = ImportOptions()
    change(&options)
    let entities = model()
    var store: GraphStore?
    if let before {
      store = GraphStore(model: try GraphModel(entities: entities))
      try store?.importJSON(entity: entity, from: before)
    }
    return try time {
      let store = try store ?? GraphStore(model: GraphModel(entities: entities))
      for document in documents {
        try store.importJSON(entity: entity, from: document, options: options)
      }
    }
  }

  private static func time(_ body: () throws -> Void) rethrows -> Double {
    try ContinuousClock().measure(body).seconds
  }
}
