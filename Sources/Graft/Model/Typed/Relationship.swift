public import Synchronization

/// A property of an ``Entity``: an ``Attribute`` or a ``Relationship``.
public protocol Property: Sendable {}

extension Attribute: Property {}

/// A relationship of an ``Entity``: ``ToOne``, ``ToMany`` or ``ToManyOrdered``.
public protocol Relationship: Property {
  /// The entity whose objects the relationship leads to.
  associatedtype Destination: Entity
}

/// A relationship of an ``Entity`` that leads to one object at most.
///
/// The name of the relationship is the name of the stored property.
public struct ToOne<Destination: Entity>: Relationship {
  @usableFromInline let core: RelationshipCore<Destination>

  /// Creates a relationship.
  ///
  /// - Parameters:
  ///   - paths: The object's paths in JSON; by default the relationship's own name.
  ///   - inverse: The destination's relationship that leads back. Name it at one of the two ends
  ///     only: the compiler cannot infer two properties from each other.
  ///   - relatedBy: The destination's attribute whose values are the bare identifiers; by default its identity.
  ///   - isRequired: Whether the relationship must have an object.
  ///   - deleteRule: The effect of deleting an object on the other end.
  ///   - onNull: The effect of `null`.
  ///   - onAbsent: The effect of an absent key.
  ///   - removed: The treatment of the object that another value replaces.
  ///   - reference: The effect of a bare identifier that names no known object.
  ///   - export: The form in which an export writes the related objects.
  public init(
    _ paths: JSONPaths? = nil,
    inverse: sending PartialKeyPath<Destination>? = nil,
    relatedBy: sending PartialKeyPath<Destination>? = nil,
    isRequired: Bool = false,
    deleteRule: DeleteRule = .nullify,
    onNull: NullPolicy? = nil,
    onAbsent: AbsentPolicy? = nil,
    removed: RemovedPolicy? = nil,
    reference: ReferencePolicy? = nil,
    export: ExportStyle? = nil
  ) {
    core = RelationshipCore(
      RelationshipDescription(
        name: "", destination: "", isOptional: !isRequired, deleteRule: deleteRule, paths: paths,
        policies: Policies(
          onNull: onNull, onAbsent: onAbsent, removed: removed, reference: reference,
          export: export)), inverse: inverse,
      relatedBy: relatedBy)
  }
}

/// A relationship of an ``Entity`` that leads to any number of objects, in no order of its own.
///
/// The name of the relationship is the name of the stored property.
public struct ToMany<Destination: Entity>: Relationship {
  @usableFromInline let core: RelationshipCore<Destination>

  /// Creates a relationship.
  ///
  /// - Parameters:
  ///   - paths: The objects' paths in JSON; by default the relationship's own name.
  ///   - inverse: The destination's relationship that leads back. Name it at one of the two ends
  ///     only: the compiler cannot infer two properties from each other.
  ///   - relatedBy: The destination's attribute whose values are the bare identifiers; by default its identity.
  ///   - count: The allowed numbers of objects.
  ///   - deleteRule: The effect of deleting an object on the other end.
  ///   - onNull: The effect of `null`.
  ///   - onAbsent: The effect of an absent key.
  ///   - collection: The effect of an array on the current members.
  ///   - removed: The treatment of a member that a replacing array no longer lists.
  ///   - wrapsSingleObjects: Whether a single object is accepted instead of an array.
  ///   - reference: The effect of a bare identifier that names no known object.
  ///   - export: The form in which an export writes the related objects.
  public init(
    _ paths: JSONPaths? = nil,
    inverse: sending PartialKeyPath<Destination>? = nil,
    relatedBy: sending PartialKeyPath<Destination>? = nil,
    count: ClosedRange<Int>? = nil,
    deleteRule: DeleteRule = .nullify,
    onNull: NullPolicy? = nil,
    onAbsent: AbsentPolicy? = nil,
    collection: CollectionPolicy? = nil,
    removed: RemovedPolicy? = nil,
    wrapsSingleObjects: Bool? = nil,
    reference: ReferencePolicy? = nil,
    export: ExportStyle? = nil
  ) {
    core = RelationshipCore(
      RelationshipDescription(
        toMany: paths, isOrdered: false, count: count, deleteRule: deleteRule,
        policies: Policies(
          onNull: onNull, onAbsent: onAbsent, collection: collection, removed: removed,
          reference: reference, export: export, wrapsSingleObjects: wrapsSingleObjects)),
      inverse: inverse,
      relatedBy: relatedBy)
  }
}

/// A relationship of an ``Entity`` that leads to any number of objects, in the order in which the
/// document lists them.
///
/// The name of the relationship is the name of the stored property.
public struct ToManyOrdered<Destination: Entity>: Relationship {
  @usableFromInline let core: RelationshipCore<Destination>

  /// Creates a relationship.
  ///
  /// - Parameters:
  ///   - paths: The objects' paths in JSON; by default the relationship's own name.
  ///   - inverse: The destination's relationship that leads back. Name it at one of the two ends
  ///     only: the compiler cannot infer two properties from each other.
  ///   - relatedBy: The destination's attribute whose values are the bare identifiers; by default its identity.
  ///   - count: The allowed numbers of objects.
  ///   - deleteRule: The effect of deleting an object on the other end.
  ///   - onNull: The effect of `null`.
  ///   - onAbsent: The effect of an absent key.
  ///   - collection: The effect of an array on the current members.
  ///   - removed: The treatment of a member that a replacing array no longer lists.
  ///   - wrapsSingleObjects: Whether a single object is accepted instead of an array.
  ///   - reference: The effect of a bare identifier that names no known object.
  ///   - export: The form in which an export writes the related objects.
  public init(
    _ paths: JSONPaths? = nil,
    inverse: sending PartialKeyPath<Destination>? = nil,
    relatedBy: sending PartialKeyPath<Destination>? = nil,
    count: ClosedRange<Int>? = nil,
    deleteRule: DeleteRule = .nullify,
    onNull: NullPolicy? = nil,
    onAbsent: AbsentPolicy? = nil,
    collection: CollectionPolicy? = nil,
    removed: RemovedPolicy? = nil,
    wrapsSingleObjects: Bool? = nil,
    reference: ReferencePolicy? = nil,
    export: ExportStyle? = nil
  ) {
    core = RelationshipCore(
      RelationshipDescription(
        toMany: paths, isOrdered: true, count: count, deleteRule: deleteRule,
        policies: Policies(
          onNull: onNull, onAbsent: onAbsent, collection: collection, removed: removed,
          reference: reference, export: export, wrapsSingleObjects: wrapsSingleObjects)),
      inverse: inverse,
      relatedBy: relatedBy)
  }
}

// MARK: - The declaration

extension RelationshipDescription {
  /// Describes a to-many relationship before its name and destination are known.
  fileprivate init(
    toMany paths: JSONPaths?, isOrdered: Bool, count: ClosedRange<Int>?, deleteRule: DeleteRule,
    policies: Policies
  ) {
    let least = count?.lowerBound ?? 0
    let most = count?.upperBound ?? .max
    self.init(
      name: "", destination: "", isToMany: true, isOrdered: isOrdered, isOptional: least <= 0,
      minimumCount: least, maximumCount: most == .max ? 0 : most, deleteRule: deleteRule,
      paths: paths, policies: policies)
  }
}

/// A declared relationship, and its number once its entity is known.
@usableFromInline final class RelationshipCore<Destination: Entity>: Sendable {
  /// The relationship, still without name, destination and inverse.
  private let described: RelationshipDescription
  // Safe: a key path does not change, and it was sent here, so that nothing else refers to what it may have captured.
  nonisolated(unsafe) private let inversePath: PartialKeyPath<Destination>?
  // Safe for the same reasons.
  nonisolated(unsafe) private let relatedByPath: PartialKeyPath<Destination>?
  @usableFromInline let assigned = Atomic<Int>(-1)
  @usableFromInline let destinationType = AtomicLazyReference<EntityType<Destination>>()

  init(
    _ described: RelationshipDescription, inverse: sending PartialKeyPath<Destination>?,
    relatedBy: sending PartialKeyPath<Destination>?
  ) {
    self.described = described
    unsafe inversePath = inverse
    unsafe relatedByPath = relatedBy
  }

  /// The number among the relationships of the entity, inherited ones first.
  @inlinable var number: Int {
    let number = assigned.load(ordering: .relaxed)
    guard number >= 0 else {
      misuse(
        "a relationship was read that no stored property of its entity holds; declare it as `let`")
    }
    return number
  }

  /// The entity it leads to.
  @inlinable var type: EntityType<Destination> {
    destinationType.load() ?? destinationType.storeIfNil(.shared)
  }
}

extension RelationshipCore: PropertyDeclaration {
  var destination: (any Entity.Type)? { Destination.self }

  func assign(_ number: Int) -> Bool {
    assigned.compareExchange(expected: -1, desired: number, ordering: .relaxed).exchanged
  }

  func describe(
    as name: String, at paths: JSONPaths?, in entity: inout EntityDescription,
    _ report: (String) -> Void
  ) {
    var description = described
    let owner = Destination.entityName
    (description.name, description.destination) = (name, owner)
    description.paths = description.paths ?? paths
    if let path = unsafe inversePath {
      let inverse = declaration(at: path)
      description.inverse =
        type.ownProperties.first {
          $0.declaration === inverse && $0.declaration.destination != nil
        }?.name
      if description.inverse == nil {
        report("the inverse is no relationship of \(owner); name one that it has")
      }
    }
    if let path = unsafe relatedByPath {
      description.relatedBy = declaration(at: path).flatMap {
        $0.destination == nil ? type.name(of: $0) : nil
      }
      if description.relatedBy == nil {
        report("`relatedBy` names no attribute of \(owner); name one that it has")
      }
    }
    entity.relationships.append(description)
  }

  /// Returns the declaration of a property of the destination.
  private func declaration(at path: PartialKeyPath<Destination>) -> (any PropertyDeclaration)? {
    (type.prototype[keyPath: path] as? any PropertyDeclaring)?.declaration
  }
}
