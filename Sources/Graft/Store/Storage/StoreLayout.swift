// The layout that a store derives from its model before the first object.
//
// Raw memory. Invariants: this is plain memory, because it is read for every value. `init` fills
// it, no code writes it afterwards, and `deinit` frees it, so that the class is Sendable. A caller
// that reads a shape, an identity or a default keeps the layout alive by its graph.

import Synchronization

/// Keeps for each entity the shape of its table, the index of its identities, and its defaults as cells.
package final class StoreLayout: @unchecked Sendable {
  /// A default value and the attribute that takes it.
  struct Default {
    var attribute: Int
    var value: RawValue
  }

  /// The attributes of an identity, and the index that serves it.
  package struct Identity: BitwiseCopyable {
    /// The number of the index; -1 without identity.
    package var index: Int
    var attributes: BorrowedBuffer<Int>
    /// Whether it is a single number or date, the common case.
    var isWord: Bool

    var count: Int { attributes.count }
  }

  let model: GraphModel
  let entityCount: Int
  /// Distinguishes this store's identifiers from other stores'.
  ///
  /// Stores are counted, and after 65536 of them the numbers begin again.
  let number = UInt16(truncatingIfNeeded: stores.add(1, ordering: .relaxed).newValue)
  private static let stores = Atomic<UInt64>(0)
  /// The initial state of an identity's hash.
  let seed = UInt64.random(in: .min ... .max)
  /// The shapes of the tables; indexed by entity number, like `identities` and `defaults`.
  let shapes: FrozenBuffer<TableShape>
  package let identities: FrozenBuffer<Identity>
  let defaults: FrozenBuffer<BorrowedBuffer<Default>>
  /// The number of identity indexes; entities that share an identity share an index.
  package let indexCount: Int
  /// The attributes of each entity whose values have bounds or a pattern.
  let valueRules: [[(attribute: Int, rules: ValueRules)]]
  /// The relationships without inverse, whose owners cannot be found from the objects that they lead to.
  let oneWayRelationships: [(entity: Int, relationship: Int)]

  init(model: GraphModel) {
    let entities = model.schema.entities
    self.model = model
    entityCount = entities.count
    let number = number
    shapes = FrozenBuffer(entities.map { TableShape($0, store: number) })
    var indexes = [Int: Int]()
    let identities = entities.map { entity in
      var index = -1
      if !entity.identity.isEmpty {
        index = indexes[entity.identityRoot] ?? indexes.count
        indexes[entity.identityRoot] = index
      }
      let kinds = entity.identity.map { CellKind(entity.attributes[$0].type) }
      return Identity(
        index: index, attributes: .allocate(entity.identity), isWord: kinds == [.word])
    }
    self.identities = FrozenBuffer(identities)
    defaults = FrozenBuffer(entities.map { .allocate(Self.defaults(of: $0)) })
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
      unsafe shapes[entity].deallocate()
      unsafe identities[entity].attributes.deallocate()
      for value in defaults[entity] { unsafe value.value.bytes.deallocate() }
      unsafe defaults[entity].deallocate()
    }
  }

  private static func defaults(of entity: EntitySchema) -> [Default] {
    var values: [Default] = []
    for (number, attribute) in entity.attributes.enumerated() {
      guard !entity.identity.contains(number), let value = attribute.defaultValue else { continue }
      let raw = value.withRawValue(for: attribute.type) { raw in
        raw.hasBytes ? .bytes(.allocate(raw.bytes)) : raw
      }
      guard let raw, !raw.isNull else { continue }
      values.append(Default(attribute: number, value: raw))
    }
    return values
  }
}

extension StoreLayout {
  /// Returns the identifier of an object of this store.
  package func objectID(entity: Int, row: Int) -> ObjectID {
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

  /// Returns the hash of an identity; nil if a value is null or missing, because then there is no identity.
  package func hash(_ values: BorrowedBuffer<RawValue>, of entity: Int) -> UInt32? {
    wideHash(values, of: entity).map(IdentityHash.finish)
  }

  /// Returns all bits of the hash of an identity; nil if one of the values is null.
  package func wideHash(_ values: BorrowedBuffer<RawValue>, of entity: Int) -> UInt64? {
    let identity = identities[entity]
    guard values.count == identity.count else { return nil }
    if identity.isWord {
      guard !values[0].isNull else { return nil }
      let column = shapes[entity].attributes[identity.attributes[0]]
      return IdentityHash.combine(seed, word: column.canonical(values[0].bits))
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
    return state
  }

  /// Returns whether a row has this identity.
  func matches(
    _ group: GroupPointer, _ row: Int, entity: Int, _ values: BorrowedBuffer<RawValue>
  ) -> Bool {
    let identity = identities[entity]
    if identity.isWord, !values[0].isNull {
      let column = shapes[entity].attributes[identity.attributes[0]]
      let bits = group.word(row, column)
      return group.bit(row, at: column.validity)
        && column.canonical(bits) == column.canonical(values[0].bits)
    }
    for number in 0..<identity.count {
      let column = shapes[entity].attributes[identity.attributes[number]]
      guard group.holds(values[number], row, column, asIdentity: true) else { return false }
    }
    return true
  }
}
