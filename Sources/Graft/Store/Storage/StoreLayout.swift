// What the store derives from a model before the first object.
//
// Invariants: this is plain memory, because it is read for every value. `init` fills it, nothing
// writes it afterwards, and `deinit` frees it, which is what makes the class Sendable.

import Synchronization

/// The shape of each entity's table, where identities are indexed, and defaults as cells keep them.
final class StoreLayout: @unchecked Sendable {
  /// A default value and the attribute that takes it.
  struct Default {
    var attribute: Int
    var value: RawValue
  }

  /// The attributes of an identity, and the index that serves it.
  struct Identity {
    /// The number of the index; -1 without identity.
    var index: Int
    var attributes: UnsafeMutablePointer<Int>
    var count: Int
    /// Whether it is a single number or date, the common case.
    var isWord: Bool
  }

  let model: GraphModel
  let entityCount: Int
  /// What tells identifiers of this store from those of others: stores are counted, and after 65536
  /// of them the numbers begin again.
  let number = UInt16(truncatingIfNeeded: stores.add(1, ordering: .relaxed).newValue)
  private static let stores = Atomic<UInt64>(0)
  /// Where the hash of an identity begins.
  let seed = UInt64.random(in: .min ... .max)
  /// By entity number, as the two after it.
  let shapes: UnsafeMutablePointer<TableShape>
  let identities: UnsafeMutablePointer<Identity>
  let defaults: UnsafeMutablePointer<UnsafeMutableBufferPointer<Default>>
  /// Entities that share an identity share an index.
  let indexCount: Int
  /// The attributes of each entity whose values have bounds or a pattern.
  let valueRules: [[(attribute: Int, rules: ValueRules)]]
  /// Relationships without inverse: from the object that they lead to, their owners cannot be
  /// found.
  let oneWayRelationships: [(entity: Int, relationship: Int)]

  init(model: GraphModel) {
    let entities = model.schema.entities
    self.model = model
    entityCount = entities.count
    shapes = .allocate(capacity: max(entityCount, 1))
    identities = .allocate(capacity: max(entityCount, 1))
    defaults = .allocate(capacity: max(entityCount, 1))
    var indexes: [Int: Int] = [:]
    for entity in entities {
      (shapes + entity.number).initialize(to: TableShape(entity, store: number))
      let attributes = UnsafeMutablePointer<Int>.allocate(capacity: max(entity.identity.count, 1))
      attributes.initialize(from: entity.identity, count: entity.identity.count)
      var index = -1
      if !entity.identity.isEmpty {
        index = indexes[entity.identityRoot] ?? indexes.count
        indexes[entity.identityRoot] = index
      }
      let kinds = entity.identity.map { CellKind(entity.attributes[$0].type) }
      let identity = Identity(
        index: index, attributes: attributes, count: kinds.count, isWord: kinds == [.word])
      (identities + entity.number).initialize(to: identity)
      (defaults + entity.number).initialize(to: Self.makeDefaults(of: entity))
    }
    indexCount = indexes.count
    valueRules = entities.map { entity in
      entity.attributes.enumerated().compactMap { number, attribute in
        ValueRules(attribute).map { (number, $0) }
      }
    }
    oneWayRelationships = entities.flatMap { entity in
      entity.relationships.indices
        .filter { entity.relationships[$0].inverse == nil }
        .map { (entity.number, $0) }
    }
  }

  deinit {
    for entity in 0..<entityCount {
      shapes[entity].deallocate()
      identities[entity].attributes.deallocate()
      for value in defaults[entity] { value.value.start?.deallocate() }
      defaults[entity].deallocate()
    }
    shapes.deallocate()
    identities.deallocate()
    defaults.deallocate()
  }

  private static func makeDefaults(
    of entity: EntitySchema
  ) -> UnsafeMutableBufferPointer<Default> {
    var values: [Default] = []
    for (number, attribute) in entity.attributes.enumerated() {
      guard !entity.identity.contains(number), let value = attribute.defaultValue else { continue }
      let raw = value.withRawValue(for: attribute.type) { raw in
        var kept = raw
        if let start = raw.start {
          let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(raw.count, 1))
          copy.initialize(from: start, count: raw.count)
          kept.start = UnsafePointer(copy)
        }
        return kept
      }
      guard let raw, !raw.isNull else { continue }
      values.append(Default(attribute: number, value: raw))
    }
    let buffer = UnsafeMutableBufferPointer<Default>.allocate(capacity: values.count)
    _ = buffer.initialize(from: values)
    return buffer
  }
}

extension StoreLayout {
  /// The identifier of an object of this store.
  func objectID(entity: Int, row: Int) -> ObjectID {
    shapes[entity].objectID(row)
  }

  /// Stops the program if an identifier is not one of this store.
  func checkOwns(_ id: ObjectID) {
    guard id.store == number else {
      misuse(
        "an object of another store is used: an ObjectID is valid in the store that it came from; "
          + "find the object in this one by its identity")
    }
  }

  /// Stops the program if a graph is not one of this store.
  func checkOwns(_ graph: Graph) {
    guard graph.storage.layout === self else {
      misuse(
        "a graph or an object of another store is used; take the graph from this store, or find the "
          + "object in it by its identity")
    }
  }

  /// The hash of an identity; nil if a value is null or missing, because then there is no identity.
  func hash(_ values: UnsafeBufferPointer<RawValue>, of entity: Int) -> UInt32? {
    let identity = identities[entity]
    guard values.count == identity.count else { return nil }
    if identity.isWord {
      guard !values[0].isNull else { return nil }
      let column = shapes[entity].attributes + identity.attributes[0]
      return IdentityHash.finish(
        IdentityHash.combine(seed, word: column.pointee.canonical(values[0].bits)))
    }
    var state = seed
    for number in 0..<identity.count {
      let value = values[number]
      if value.isNull { return nil }
      let column = shapes[entity].attributes[identity.attributes[number]]
      switch column.kind {
      case .word, .flag: state = IdentityHash.combine(state, word: column.canonical(value.bits))
      case .uuid, .bytes: state = IdentityHash.combine(state, bytes: value.bytes)
      }
    }
    return IdentityHash.finish(state)
  }

  /// Whether a row has this identity.
  func matches(
    _ group: GroupPointer, _ row: Int, entity: Int, _ values: UnsafeBufferPointer<RawValue>
  ) -> Bool {
    let identity = identities[entity]
    if identity.isWord, !values[0].isNull {
      let column = shapes[entity].attributes + identity.attributes[0]
      let bits = group.word(row, column).pointee
      return group.bit(row, at: column.pointee.validity)
        && column.pointee.canonical(bits) == column.pointee.canonical(values[0].bits)
    }
    for number in 0..<identity.count {
      let column = shapes[entity].attributes[identity.attributes[number]]
      guard group.holds(values[number], row, column, asIdentity: true) else { return false }
    }
    return true
  }
}
