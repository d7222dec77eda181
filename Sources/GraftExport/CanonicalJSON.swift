public import Foundation
import Graft

extension Graph {
  /// Writes the whole graph as one JSON object, in a form for comparing graphs.
  ///
  /// Equal graphs give equal bytes, and a changed object is one changed line:
  ///
  /// ```json
  /// {
  ///   "Tweet": [
  ///     {"@id": "Tweet/1", "author": "User/1", "postedAt": "2012-09-24T03:35:21Z"}
  ///   ],
  ///   "User": [
  ///     {"@id": "User/1", "name": null, "tweets": ["Tweet/1"]}
  ///   ]
  /// }
  /// ```
  ///
  /// - Entities are sorted by name; abstract ones are left out. Objects are listed under their concrete
  ///   entity in order of insertion, and are numbered there from 1.
  /// - Every attribute and relationship is written, inherited ones included, sorted by name, with
  ///   `null` for a missing value. Related objects of a relationship without order are sorted by
  ///   entity and number.
  /// - Parts of a database's graph that were not read are left out.
  /// - Dates are ISO 8601 in UTC, with milliseconds if there are any; binary data is base64;
  ///   integers and decimals are exact; other numbers have their shortest exact text; a
  ///   transformable value is its JSON.
  ///
  /// - Parameter output: Takes the bytes as they come, some tens of thousands at a time; they are
  ///   valid only while it runs.
  /// - Returns: A loss for each attribute of which dates were rounded to the millisecond.
  /// - Throws: The error of `output`; writing stops then.
  /// - Complexity: O(*n*) in the size of the graph; memory for one object at a time.
  @discardableResult
  public func writeCanonicalJSON(
    to output: (RawSpan) throws -> Void
  ) rethrows -> ExportReport {
    var writer = CanonicalWriter(graph: self)
    try writer.write(to: output)
    return writer.report
  }

  /// Returns the whole graph as one JSON object, in the form that ``writeCanonicalJSON(to:)`` describes.
  ///
  /// - Returns: The text, in UTF-8.
  /// - Complexity: O(*n*) in the size of the graph, in memory too.
  public func canonicalJSON() -> Data {
    var data = Data()
    writeCanonicalJSON { chunk in
      chunk.withBorrowed { data.append(contentsOf: $0) }
    }
    return data
  }
}

/// Writes a graph in the canonical form.
private struct CanonicalWriter: ~Copyable {
  private let graph: Graph
  /// The entities, indexed by entity number.
  private let entities: [CanonicalEntity]
  private let numbers: [ObjectNumbers]
  /// The entities, sorted by name.
  private let sorted: [CanonicalEntity]
  /// The index of each entity in `sorted`.
  private var ranks: [Int]
  private var json = JSONWriter(
    style: .lines(levels: 2), capacity: JSONWriter.chunkSize * 2)
  /// The dates that were rounded, by entity and attribute.
  private var rounded: [RoundedAttribute: RoundedDates] = [:]

  private struct RoundedAttribute: Hashable {
    var entity: Int
    var attribute: Int
  }

  private struct RoundedDates {
    var first: ObjectID
    var count = 0
  }

  init(graph: Graph) {
    self.graph = graph
    let schema = graph.schema
    entities = schema.entities.map { CanonicalEntity($0, in: schema) }
    numbers = schema.entities.map { ObjectNumbers(entity: $0.number, graph: graph) }
    sorted = entities.inOrder { $0.name.precedesByCodePoints($1.name) }
    ranks = Array(repeating: 0, count: entities.count)
    for (rank, entity) in sorted.enumerated() { ranks[entity.number] = rank }
  }

  mutating func write(to output: (RawSpan) throws -> Void) rethrows {
    json.beginObject()
    for entity in sorted
    where !graph.schema.entities[entity.number].isAbstract || graph.liveCount(entity.number) > 0 {
      json.key(entity.name)
      json.beginArray()
      for id in graph.rows(entity.number) {
        writeObject(id, of: entity)
        if json.hasChunk { try json.flush(to: output) }
      }
      json.endArray()
    }
    json.endObject()
    json.endLine()
    try json.flush(to: output)
  }

  private mutating func writeObject(_ id: ObjectID, of entity: CanonicalEntity) {
    json.beginObject()
    json.key("@id")
    writeReference(to: id)
    for property in entity.properties {
      if graph.isPartial, !isRead(property.content, of: id) { continue }
      json.key(prepared: property.key.span)
      switch property.content {
      case .attribute(let number, let type):
        let value = graph.value(id, attribute: number)
        json.value(value, of: type)
        if type == .date, !value.isNull, !DateText.isWhole(value.double) { noteRounded(id, number) }
      case .toOne(let number):
        writeReference(to: graph.toOne(id, relationship: number))
      case .toMany(let number, let isSorted):
        json.beginArray()
        for member in members(of: id, number, isSorted: isSorted) { writeReference(to: member) }
        json.endArray()
      }
    }
    json.endObject()
  }

  private func isRead(_ content: CanonicalEntity.Property.Content, of id: ObjectID) -> Bool {
    switch content {
    case .attribute(let number, _): graph.unreadPart(id, attribute: number) == nil
    case .toOne(let number), .toMany(let number, _):
      graph.unreadPart(id, relationship: number) == nil
    }
  }

  private mutating func noteRounded(_ id: ObjectID, _ attribute: Int) {
    let key = RoundedAttribute(entity: id.entity, attribute: attribute)
    rounded[key, default: RoundedDates(first: id)].count += 1
  }

  /// The values that were not written exactly.
  var report: ExportReport {
    var report = ExportReport()
    for (key, dates) in rounded.inOrder(by: {
      ($0.key.entity, $0.key.attribute) < ($1.key.entity, $1.key.attribute)
    }) {
      let entity = graph.schema.entities[key.entity]
      let name = entity.attributes[key.attribute].name
      let first = "\(entity.name)/\(numbers[key.entity][dates.first.row])"
      let more = dates.count == 1 ? first : "\(first) and \(dates.count - 1) more"
      report.losses.append(
        ExportLoss(
          entity: entity.name, property: name, object: dates.first, count: dates.count,
          message:
            "\(entity.name).\(name): \(LossReason.roundedDateText) (\(more))"))
    }
    return report
  }

  private func members(of id: ObjectID, _ relationship: Int, isSorted: Bool) -> [ObjectID] {
    let members = graph.members(of: id, relationship)
    guard isSorted else { return members }
    return members.inOrder { (ranks[$0.entity], $0.row) < (ranks[$1.entity], $1.row) }
  }

  private mutating func writeReference(to id: ObjectID?) {
    guard let id else { return json.null() }
    let (entity, number) = (entities[id.entity], numbers[id.entity][id.row])
    json.string { text in
      text.append(entity.escapedName.span)
      text.append(0x2F)
      text.append(integer: number)
    }
  }
}

/// The parts of an entity's output that are the same for all its objects.
private struct CanonicalEntity {
  struct Property {
    enum Content {
      case attribute(Int, AttributeType)
      case toOne(Int)
      /// `isSorted` is true if the members must be sorted before they are written.
      case toMany(Int, isSorted: Bool)
    }

    var name: String
    /// The name, prepared for the writer.
    var key: [UInt8]
    var content: Content

    init(_ name: String, _ content: Content) {
      self.name = name
      key = JSONWriter.prepared(key: name)
      self.content = content
    }
  }

  let number: Int
  let name: String
  /// The name as part of a reference to an object: `Tweet` in `"Tweet/1"`.
  let escapedName: [UInt8]
  /// Sorted by name.
  let properties: [Property]

  init(_ entity: EntitySchema, in schema: ModelSchema) {
    number = entity.number
    name = entity.name
    escapedName = Array(JSONWriter.quoted(entity.name).dropFirst().dropLast())
    let attributes = entity.attributes.enumerated().map { number, attribute in
      Property(attribute.name, .attribute(number, attribute.type))
    }
    let relationships = entity.relationships.enumerated().map { number, relationship in
      guard relationship.isToMany else { return Property(relationship.name, .toOne(number)) }
      // The store sorts the members by the numbers of their entities, which need not be the order
      // of their names.
      let names = schema.entities[relationship.destination].family.map { schema.entities[$0].name }
      let isSorted =
        !relationship.isOrdered && names != names.inOrder { $0.precedesByCodePoints($1) }
      return Property(relationship.name, .toMany(number, isSorted: isSorted))
    }
    properties = (attributes + relationships).inOrder { $0.name.precedesByCodePoints($1.name) }
  }
}

/// The numbers of an entity's objects, counted from 1 in order of insertion.
private struct ObjectNumbers {
  /// The numbers, by row; empty if no object was ever deleted, because rows are in order of insertion.
  private var numbers: [Int32] = []

  init(entity: Int, graph: Graph) {
    let rowCount = graph.storage.tables[entity].rowCount
    guard graph.liveCount(entity) < rowCount else { return }
    numbers = [Int32](repeating: 0, count: rowCount)
    for (index, id) in graph.rows(entity).enumerated() {
      numbers[id.row] = Int32(truncatingIfNeeded: index + 1)
    }
  }

  subscript(row: Int) -> Int64 {
    numbers.isEmpty ? Int64(row) + 1 : Int64(numbers[row])
  }
}

extension String {
  /// Returns whether the string comes before another by its code points.
  ///
  /// This is the order of their UTF-8.
  func precedesByCodePoints(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}
