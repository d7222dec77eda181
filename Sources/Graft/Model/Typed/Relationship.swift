public import Synchronization

/// A property of an ``Entity``: an ``Attribute`` or a ``Relationship``.
public protocol Property: Sendable {}

extension Attribute: Property {}

/// A relationship of an ``Entity``: ``ToOne``, ``ToMany`` or ``ToManyOrdered``.
public protocol Relationship: Property {
  /// The entity whose objects the relationship leads to.
  associatedtype Destination: Entity
}

/// What is said about a relationship besides where it leads, in the terms of a model.
struct RelationshipSettings: Sendable {
  private var template: RelationshipDescription

  init(
    _ paths: JSONPaths?, isToMany: Bool = false, isOrdered: Bool = false, isRequired: Bool = false,
    count: ClosedRange<Int>? = nil, deleteRule: DeleteRule, onNull: NullPolicy?,
    onAbsent: AbsentPolicy?, collection: CollectionPolicy? = nil, removed: RemovedPolicy? = nil,
    reference: ReferencePolicy?, export: ExportStyle?
  ) {
    let least = count?.lowerBound ?? 0
    let most = count?.upperBound ?? 0
    template = RelationshipDescription(
      name: "", destination: "", isToMany: isToMany, isOrdered: isOrdered,
      isOptional: !isRequired && least <= 0, minimumCount: least,
      maximumCount: most == .max ? 0 : most, deleteRule: deleteRule, paths: paths,
      policies: Policies(
        onNull: onNull, onAbsent: onAbsent, collection: collection, removed: removed,
        reference: reference, export: export))
  }

  func description(
    named name: String, to destination: String, inverse: String?
  ) -> RelationshipDescription {
    var description = template
    description.name = name
    description.destination = destination
    description.inverse = inverse
    return description
  }
}

/// What a relationship was declared with, and its number once its entity is known.
@usableFromInline final class RelationshipCore<Destination: Entity>: Sendable {
  private let settings: RelationshipSettings
  /// Finds the destination's property that an inverse names.
  private let findInverse: (@Sendable (Destination) -> PropertyDeclaration?)?
  @usableFromInline let assigned = Atomic<Int>(-1)
  @usableFromInline let destinationType = AtomicLazyReference<EntityType<Destination>>()

  init(_ settings: RelationshipSettings) {
    self.settings = settings
    findInverse = nil
  }

  init<Inverse: Relationship>(
    _ settings: RelationshipSettings, inverse: any KeyPath<Destination, Inverse> & Sendable
  ) {
    self.settings = settings
    findInverse = { ($0[keyPath: inverse] as? any PropertyDeclaring)?.declaration }
  }

  /// The number among the relationships of the entity, inherited ones first.
  @inlinable var number: Int {
    let number = assigned.load(ordering: .relaxed)
    precondition(
      number >= 0,
      "a relationship was read that no stored property of its entity holds; declare it as `let`")
    return number
  }

  /// What is known of the entity it leads to.
  @inlinable var type: EntityType<Destination> {
    destinationType.load() ?? destinationType.storeIfNil(.shared)
  }
}

extension RelationshipCore: RelationshipDeclaration {
  var destination: any Entity.Type { Destination.self }

  var inverse: (isGiven: Bool, name: String?) {
    guard let findInverse else { return (false, nil) }
    let type = type
    let found = findInverse(type.prototype)?.identity
    return (true, type.ownProperties.first { $0.declaration.identity == found }?.name)
  }

  func assign(_ number: Int) -> Bool {
    assigned.compareExchange(expected: -1, desired: number, ordering: .relaxed).exchanged
  }

  func description(named name: String) -> RelationshipDescription {
    settings.description(named: name, to: Destination.entityName, inverse: inverse.name)
  }
}
