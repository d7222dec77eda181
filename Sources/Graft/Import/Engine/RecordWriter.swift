// Raw memory: `members` is a stack that this object owns. Buffers made of it are valid until it is
// filled again, and are passed to the transaction's functions only.

/// Writes an object's pending values into its row, and its links; single cells are written by the
/// store's `RowWriter`.
final class RecordWriter: ImportPart {
  private let resolver: ObjectResolver
  @safe @exclusivity(unchecked) private var members = RawStack<ObjectID>(capacity: 64)
  /// The references and links that wait for the end of the document.
  @safe @exclusivity(unchecked) var deferred = DeferredLinks()
  /// The objects that relationships have lost; nil if no relationship deletes its lost objects.
  let removed: RemovedObjects?

  init(_ shared: ImportPart, resolver: ObjectResolver) {
    self.resolver = resolver
    removed = RemovedObjects(plan: shared.plan, transaction: shared.transaction)
    super.init(shared)
  }

  /// Writes pending values to an object.
  ///
  /// - Returns: Whether anything differed.
  func write(_ values: PendingValues, to object: ObjectID) -> Bool {
    var hasChanged = false
    var hasLinks = false
    let row = transaction.row(object)
    for value in values {
      guard !value.pointee.isSuperseded else {
        forgetDeferred(value.pointee)
        continue
      }
      let number = Int(value.pointee.number)
      switch value.pointee.kind {
      case .word, .bytes, .null:
        // The identity was written when the object was inserted, and cannot have changed since.
        if value.pointee.isIdentity { continue }
        if row.set(number, parsers.rawValue(of: value.pointee)) { hasChanged = true }
      case .default:
        if row.set(number, defaultValue(of: number, object.entity)) { hasChanged = true }
      case .toOne, .element, .deferred, .collection: hasLinks = true
      case .waiting, .presentAttribute, .presentRelationship, .failed, .notice: break
      }
    }
    resolver.noteLookups(of: object)
    guard hasLinks else { return hasChanged }
    if resolver.hasReplacements { redirectLinks(values) }
    return link(values, to: object) || hasChanged
  }

  private func defaultValue(of attribute: Int, _ entity: Int) -> RawValue {
    transaction.layout.defaults[entity].first { $0.attribute == attribute }?.value ?? .null
  }

  /// Redirects pending links to the objects that have replaced stubs.
  private func redirectLinks(_ values: PendingValues) {
    for value in values where value.pointee.kind == .toOne || value.pointee.kind == .element {
      guard let object = ObjectID(cell: value.pointee.bits) else { continue }
      value.pointee.bits = resolver.current(object).rawValue
    }
  }

  // MARK: Links

  private func link(_ values: PendingValues, to object: ObjectID) -> Bool {
    var hasChanged = false
    for value in values where !value.pointee.isSuperseded {
      let number = Int(value.pointee.number)
      switch value.pointee.kind {
      case .toOne:
        let target = ObjectID(cell: value.pointee.bits)
        cancelDeferred(object, number)
        if setToOne(object, number, target) { hasChanged = true }
      case .deferred
      where !schema.entities[object.entity].relationships[number].isToMany:
        wait(
          DeferredLink(
            owner: object, relationship: number,
            members: [.reference(Int(value.pointee.bits))], isNested: false),
          joins: false)
      case .collection:
        if setMembers(of: object, value, values) { hasChanged = true }
      default: break
      }
    }
    if removed != nil {
      // Another path of the relationship counts.
      for value in values where value.pointee.isSuperseded {
        guard let member = value.pointee.linkedObject else { continue }
        noteUnlinked([member], Int(value.pointee.number), of: object)
      }
    }
    return hasChanged
  }

  /// Notes the objects of a value that does not count.
  ///
  /// Only objects that the import has made are lost with it: the others never were in the relationship.
  private func noteUnlinked(_ members: [ObjectID], _ relationship: Int, of owner: ObjectID) {
    removed?.noteUnlinked(
      members.filter { outcomes[$0] == .inserted }, relationship, of: owner)
  }

  /// Links an object to another one, or to none.
  ///
  /// - Returns: Whether the link differed.
  func setToOne(_ object: ObjectID, _ relationship: Int, _ target: ObjectID?) -> Bool {
    removed?.noteWrite(
      relationship, of: object, to: target.map { [$0] } ?? [],
      plan.entities[object.entity].relationships[relationship].removed)
    return transaction.setToOne(object, relationship: relationship, target)
  }

  /// Writes the members of a to-many relationship.
  ///
  /// - Parameters:
  ///   - object: The object that has the relationship.
  ///   - collection: The value that marks the relationship as present; its members follow it.
  ///   - values: All values of the object.
  /// - Returns: Whether anything differed.
  private func setMembers(
    of object: ObjectID, _ collection: PendingValuePlace, _ values: PendingValues
  ) -> Bool {
    let number = Int(collection.pointee.number)
    var deferred: [Int] = []
    var hasObjects = false
    var hasIdentifiers = isOfIdentifiers(collection.pointee, object)
    members.truncate(to: 0)
    for value in values.following(collection) {
      guard value.pointee.number == collection.pointee.number,
        value.pointee.pathIndex == collection.pointee.pathIndex
      else { continue }
      switch value.pointee.kind {
      // The key occurs twice; the later value counts.
      case .collection:
        noteUnlinked((0..<members.count).map { members[$0] }, number, of: object)
        for reference in deferred { self.deferred.removeReference(reference) }
        return false
      case .deferred: deferred.append(Int(value.pointee.bits))
      case .element:
        if value.pointee.isIdentifier { hasIdentifiers = true } else { hasObjects = true }
        if let member = ObjectID(cell: value.pointee.bits) { members.push(member) }
      default: break
      }
    }
    if !deferred.isEmpty {
      deferMembers(of: object, collection.pointee, values)
      return false
    }
    let list = members.elements
    let isNested = hasObjects || !hasIdentifiers
    if collection.pointee.isEmptied {
      cancelDeferred(object, number)
      return replaceMembers(of: object, number, with: list, isNested: isNested)
    }
    if !isUnion(object, number) { cancelDeferred(object, number) }
    return setMembers(of: object, number, list, isNested: isNested)
  }

  /// Writes the members of a to-many relationship by its policies.
  ///
  /// - Parameters:
  ///   - object: The object that has the relationship.
  ///   - relationship: The number of the relationship.
  ///   - list: The members in their order.
  ///   - isNested: Whether any member is an object of the document, and not only an identifier.
  /// - Returns: Whether anything differed.
  func setMembers(
    of object: ObjectID, _ relationship: Int, _ list: BorrowedBuffer<ObjectID>, isNested: Bool
  ) -> Bool {
    guard isUnion(object, relationship) else {
      return replaceMembers(of: object, relationship, with: list, isNested: isNested)
    }
    removed?.noteWrite(relationship, of: object, to: Array(list), .unlink)
    return list.withSpan { transaction.unite(object, relationship: relationship, $0) }
  }

  private func replaceMembers(
    of object: ObjectID, _ relationship: Int, with list: BorrowedBuffer<ObjectID>,
    isNested: Bool
  ) -> Bool {
    let policy = plan.entities[object.entity].relationships[relationship]
    removed?.noteWrite(
      relationship, of: object, to: Array(list),
      isNested ? policy.removed : policy.removedByIdentifiers)
    return list.withSpan { transaction.setToMany(object, relationship: relationship, $0) }
  }

  /// Returns whether a collection was found at a path that holds only identifiers.
  private func isOfIdentifiers(_ collection: PendingValue, _ object: ObjectID) -> Bool {
    let relationship = plan.entities[object.entity].schema.relationships[Int(collection.number)]
    return Int(collection.pathIndex) >= relationship.paths.count
  }

  private func isUnion(_ object: ObjectID, _ relationship: Int) -> Bool {
    plan.entities[object.entity].relationships[relationship].collection == .union
  }

  /// Keeps the members of a relationship, in their order, until the document has ended.
  private func deferMembers(
    of object: ObjectID, _ collection: PendingValue, _ values: PendingValues
  ) {
    var members: [DeferredLink.Member] = []
    var isNested = false
    for value in values
    where value.pointee.number == collection.number
      && value.pointee.pathIndex == collection.pathIndex
    {
      switch value.pointee.kind {
      case .collection: members = []
      case .deferred: members.append(.reference(Int(value.pointee.bits)))
      case .element:
        if !value.pointee.isIdentifier { isNested = true }
        if let object = ObjectID(cell: value.pointee.bits) { members.append(.object(object)) }
      default: break
      }
    }
    wait(
      DeferredLink(
        owner: object, relationship: Int(collection.number), members: members, isNested: isNested),
      joins: isUnion(object, Int(collection.number)))
  }

  /// Keeps a link until the document has ended.
  private func wait(_ link: DeferredLink, joins: Bool) {
    if !joins { cancelDeferred(link.owner, link.relationship) }
    deferred.add(link)
  }

  /// Forgets the identifier that waits for the end of the document in a value that is not written.
  func forgetDeferred(_ value: PendingValue) {
    if value.kind == .deferred { deferred.removeReference(Int(value.bits)) }
  }

  /// Forgets the link that waits for the end of the document, because the relationship has got
  /// another value.
  private func cancelDeferred(_ owner: ObjectID, _ relationship: Int) {
    let objects = deferred.cancel(owner, relationship)
    if !objects.isEmpty { removed?.noteUnlinked(objects, relationship, of: owner) }
  }

  /// Replaces the identifiers that a rebase or a promotion has changed.
  func remap(_ identifiers: [ObjectID: ObjectID]) {
    deferred.remap { identifiers[$0] ?? $0 }
    removed?.remap(identifiers)
  }
}
