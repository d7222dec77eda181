/// Writes a graph in the canonical form; see ``Graph/writeCanonicalJSON(to:)``.
struct CanonicalWriter {
  private static let chunkSize = 65_536

  private let graph: Graph
  /// By entity number.
  private let entities: [CanonicalEntity]
  private let numbers: [ObjectNumbers]
  /// The place of each entity among all, sorted by name.
  private var ranks: [Int]
  private var text: [UInt8] = []

  init(graph: Graph) {
    self.graph = graph
    let schema = graph.schema
    entities = schema.entities.map { CanonicalEntity($0, in: schema) }
    numbers = schema.entities.map { ObjectNumbers(entity: $0.number, graph: graph) }
    ranks = Array(repeating: 0, count: entities.count)
    for (rank, entity) in sorted.enumerated() { ranks[entity.number] = rank }
  }

  private var sorted: [CanonicalEntity] {
    entities.sorted { $0.name.precedesByCodePoints($1.name) }
  }

  mutating func write(to output: (RawSpan) throws -> Void) rethrows {
    text.reserveCapacity(Self.chunkSize * 2)
    let printed = sorted.filter {
      !graph.schema.entities[$0.number].isAbstract || graph.liveCount($0.number) > 0
    }
    text += "{".utf8
    for (index, entity) in printed.enumerated() {
      text += (index == 0 ? "\n  " : ",\n  ").utf8
      text += CanonicalEntity.quoted(entity.name)
      text += ": [".utf8
      try writeObjects(of: entity, to: output)
    }
    text += (printed.isEmpty ? "}\n" : "\n}\n").utf8
    try flush(to: output)
  }

  private mutating func writeObjects(
    of entity: CanonicalEntity, to output: (RawSpan) throws -> Void
  ) rethrows {
    var isFirst = true
    for id in graph.rows(entity.number) {
      text += (isFirst ? "\n    " : ",\n    ").utf8
      isFirst = false
      writeObject(id, of: entity)
      if text.count >= Self.chunkSize { try flush(to: output) }
    }
    text += (isFirst ? "]" : "\n  ]").utf8
  }

  private mutating func writeObject(_ id: ObjectID, of entity: CanonicalEntity) {
    let place = graph.place(of: id)
    text += "{\"@id\": ".utf8
    writeReference(to: id)
    for property in entity.properties {
      text += property.lead
      switch property.content {
      case .attribute(let number, let type):
        CanonicalScalar.append(
          place.group.value(place.row, place.shape.attributes[number]), type: type, to: &text)
      case .toOne(let number):
        writeReference(to: graph.toOne(id, relationship: number))
      case .toMany(let number, let isSorted):
        writeToMany(id, number, isSorted: isSorted)
      }
    }
    text += "}".utf8
  }

  private mutating func writeToMany(_ id: ObjectID, _ relationship: Int, isSorted: Bool) {
    text += "[".utf8
    var isFirst = true
    for member in members(of: id, relationship, isSorted: isSorted) {
      if !isFirst { text += ", ".utf8 }
      isFirst = false
      writeReference(to: member)
    }
    text += "]".utf8
  }

  private func members(of id: ObjectID, _ relationship: Int, isSorted: Bool) -> [ObjectID] {
    let members = graph.withToMany(id, relationship: relationship) { Array($0) }
    guard isSorted else { return members }
    return members.sorted { (ranks[$0.entity], $0.row) < (ranks[$1.entity], $1.row) }
  }

  private mutating func writeReference(to id: ObjectID?) {
    guard let id else {
      text += "null".utf8
      return
    }
    text += entities[id.entity].reference
    JSONLiteral.appendInteger(numbers[id.entity][id.row], to: &text)
    text += "\"".utf8
  }

  private mutating func flush(to output: (RawSpan) throws -> Void) rethrows {
    try output(text.span.bytes)
    text.removeAll(keepingCapacity: true)
  }
}
