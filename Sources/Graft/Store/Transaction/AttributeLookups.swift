/// An attribute by which relationships find objects of an entity and its sub-entities (`JSONRelatedBy`).
struct AttributeLookup: Equatable {
  var entity: Int
  var attribute: Int

  /// Returns, by entity, the attributes by which relationships find their objects.
  static func all(in entities: [EntitySchema]) -> [[AttributeLookup]] {
    var lookups: [[AttributeLookup]] = entities.map { _ in [] }
    for relationship in entities.flatMap(\.relationships) {
      guard let attribute = relationship.relatedBy else { continue }
      let lookup = AttributeLookup(entity: relationship.destination, attribute: attribute)
      for member in entities[lookup.entity].family where !lookups[member].contains(lookup) {
        lookups[member].append(lookup)
      }
    }
    return lookups.map { $0.inOrder { ($0.entity, $0.attribute) < ($1.entity, $1.attribute) } }
  }
}

/// Finds the objects of a transaction by such attributes.
///
/// An index is made at the first look-up. Each write of an object is noted here.
struct AttributeLookups {
  // Lists, because few attributes are looked up.
  private var indexes: [ValueHolders] = []
  /// The stubs that have no identity, only the attribute.
  private var stubs: [ValueHolders] = []

  /// Returns the object whose attribute equals a value; the first of several.
  ///
  /// - Complexity: O(1); O(*n*) in the objects of the entity at the first look-up.
  mutating func object(
    with value: RawValue, by lookup: AttributeLookup, in transaction: GraphTransaction
  ) -> ObjectID? {
    let index = indexes.holders(by: lookup, in: transaction) { _ in true }
    bringObjects(with: value, by: lookup, into: transaction)
    return index.first(with: OwnedValue(value), in: transaction)
  }

  /// Returns the stub that has no identity and whose attribute equals a value.
  ///
  /// - Complexity: as for ``object(with:by:in:)``.
  mutating func stub(
    with value: RawValue, by lookup: AttributeLookup, in transaction: GraphTransaction
  ) -> ObjectID? {
    let index = stubs.holders(by: lookup, in: transaction) {
      Self.isUnidentifiedStub($0, transaction)
    }
    bringObjects(with: value, by: lookup, into: transaction)
    guard !index.isEmpty, let stub = index.first(with: OwnedValue(value), in: transaction),
      Self.isUnidentifiedStub(stub, transaction)
    else { return nil }
    return stub
  }

  /// Adds the objects that a database has with a value; they come before those of the batch.
  private mutating func bringObjects(
    with value: RawValue, by lookup: AttributeLookup, into transaction: GraphTransaction
  ) {
    let saved = transaction.fetchAll(of: lookup.entity, attribute: lookup.attribute, value)
    guard !saved.isEmpty else { return }
    for object in saved {
      note(object, in: transaction)
      if Self.isUnidentifiedStub(object, transaction) { note(object, by: lookup, in: transaction) }
    }
    let owned = OwnedValue(value)
    indexes.first(by: lookup)?.putFirst(saved, with: owned, in: transaction)
    stubs.first(by: lookup)?.putFirst(saved, with: owned, in: transaction)
  }

  /// Puts an object that has been written in the place of the stubs that have one of its values, and adds the values.
  ///
  /// - Returns: The stubs, which are removed; relationships without inverse still lead to them.
  mutating func absorbStubs(
    into object: ObjectID, by lookups: [AttributeLookup], in transaction: GraphTransaction
  ) -> [ObjectID] {
    var absorbed: [ObjectID] = []
    for lookup in lookups {
      let value = transaction.value(object, attribute: lookup.attribute)
      guard !value.isNull, let stub = stub(with: value, by: lookup, in: transaction),
        stub != object, transaction.canPromote(stub, to: object.entity)
      else { continue }
      transaction.absorb(stub, into: object)
      absorbed.append(stub)
    }
    note(object, in: transaction)
    return absorbed
  }

  /// Adds the values of an object that has been written.
  mutating func note(_ object: ObjectID, in transaction: GraphTransaction) {
    for index in indexes
    where transaction.schema.entities[index.lookup.entity].family.contains(object.entity) {
      index.add(object, in: transaction)
    }
  }

  /// Adds a stub that has no identity.
  mutating func note(
    _ stub: ObjectID, by lookup: AttributeLookup, in transaction: GraphTransaction
  ) {
    stubs.first(by: lookup)?.add(stub, in: transaction)
  }

  /// Returns whether an object is a stub that has no identity, only such an attribute.
  static func isUnidentifiedStub(
    _ object: ObjectID, _ transaction: GraphTransaction
  ) -> Bool {
    transaction.isStub(object) && transaction.lacksIdentity(object)
  }
}

/// Lists the objects that have each value of an attribute.
///
/// An object that has lost a value is passed over when the value is looked up.
private final class ValueHolders {
  let lookup: AttributeLookup
  private var first = [OwnedValue: ObjectID]()
  /// The other objects with a value, in the order in which they got it.
  private var others = [OwnedValue: ArraySlice<ObjectID>]()
  /// The value for which each of these was added last, so that writing an object again adds nothing.
  private var otherValues = [ObjectID: OwnedValue]()

  init(_ lookup: AttributeLookup) { self.lookup = lookup }

  var isEmpty: Bool { first.isEmpty }

  /// Returns the first object that still has a value.
  func first(with value: OwnedValue, in transaction: GraphTransaction) -> ObjectID? {
    guard let object = first[value] else { return nil }
    if has(object, value, transaction) { return object }
    while let other = others[value]?.popFirst() {
      if otherValues[other] == value { otherValues[other] = nil }
      guard has(other, value, transaction) else { continue }
      first[value] = other
      return other
    }
    (first[value], others[value]) = (nil, nil)
    return nil
  }

  /// Moves objects to the front, in their order, if they are among those with a value.
  func putFirst(
    _ objects: [ObjectID], with value: OwnedValue, in transaction: GraphTransaction
  ) {
    guard let head = first(with: value, in: transaction), head != objects.first,
      let rest = others[value], !rest.isEmpty
    else { return }
    let holders = Set(rest).union([head])
    let front = objects.filter { holders.contains($0) }
    let moved = Set(front)
    let order = front + ([head] + rest).filter { !moved.contains($0) }
    guard let newHead = order.first, newHead != head else { return }
    first[value] = newHead
    otherValues[newHead] = nil
    otherValues[head] = value
    others[value] = order.dropFirst()
  }

  /// Adds an object, if it has a value and was read; a source finds others by the value itself.
  func add(_ object: ObjectID, in transaction: GraphTransaction) {
    if let fetched = transaction.fetched, fetched.state(of: object).contains(.unread) { return }
    let value = transaction.value(object, attribute: lookup.attribute)
    guard !value.isNull else { return }
    let owned = OwnedValue(value)
    if let holder = first(with: owned, in: transaction) {
      guard holder != object, otherValues.updateValue(owned, forKey: object) != owned else {
        return
      }
      others[owned, default: []].append(object)
    } else {
      first[owned] = object
    }
  }

  private func has(
    _ object: ObjectID, _ value: OwnedValue, _ transaction: GraphTransaction
  ) -> Bool {
    guard transaction.contains(object) else { return false }
    let current = transaction.value(object, attribute: lookup.attribute)
    return !current.isNull && OwnedValue(current) == value
  }
}

extension [ValueHolders] {
  fileprivate func first(by lookup: AttributeLookup) -> ValueHolders? {
    first { $0.lookup == lookup }
  }

  /// Returns the holders of an attribute's values, which are gathered at the first look-up.
  fileprivate mutating func holders(
    by lookup: AttributeLookup, in transaction: GraphTransaction, where isMeant: (ObjectID) -> Bool
  ) -> ValueHolders {
    if let known = first(by: lookup) { return known }
    let holders = ValueHolders(lookup)
    for entity in transaction.schema.entities[lookup.entity].family {
      for object in transaction.objects(of: entity) where isMeant(object) {
        holders.add(object, in: transaction)
      }
    }
    append(holders)
    return holders
  }
}
