/// A relationship of an ``Entity`` that leads to any number of objects, in no order of its own.
///
/// The name of the relationship is the name of the stored property.
public struct ToMany<Destination: Entity>: Relationship {
  @usableFromInline let core: RelationshipCore<Destination>

  /// Creates a relationship.
  ///
  /// - Parameters:
  ///   - paths: Where the objects stand in JSON; by default under the relationship's own name.
  ///   - count: How many objects there may be.
  ///   - deleteRule: What happens to the other end when an object is deleted.
  ///   - onNull: What `null` does.
  ///   - onAbsent: What the absence of the key does.
  ///   - collection: What an array does to the members that are there.
  ///   - removed: What happens to a member that a replacing array no longer names.
  ///   - reference: What a bare identifier does that names no object yet.
  ///   - export: How an export writes the related objects.
  public init(
    _ paths: JSONPaths? = nil,
    count: ClosedRange<Int>? = nil,
    deleteRule: DeleteRule = .nullify,
    onNull: NullPolicy? = nil,
    onAbsent: AbsentPolicy? = nil,
    collection: CollectionPolicy? = nil,
    removed: RemovedPolicy? = nil,
    reference: ReferencePolicy? = nil,
    export: ExportStyle? = nil
  ) {
    core = RelationshipCore(
      RelationshipSettings(
        paths, isToMany: true, isOrdered: false, count: count, deleteRule: deleteRule,
        onNull: onNull, onAbsent: onAbsent, collection: collection, removed: removed,
        reference: reference, export: export))
  }

  /// Creates a relationship with an inverse.
  ///
  /// - Parameters:
  ///   - paths: Where the objects stand in JSON; by default under the relationship's own name.
  ///   - inverse: The destination's relationship that leads back. It is named at one of the two ends;
  ///     the compiler cannot infer two properties from each other.
  ///   - count: How many objects there may be.
  ///   - deleteRule: What happens to the other end when an object is deleted.
  ///   - onNull: What `null` does.
  ///   - onAbsent: What the absence of the key does.
  ///   - collection: What an array does to the members that are there.
  ///   - removed: What happens to a member that a replacing array no longer names.
  ///   - reference: What a bare identifier does that names no object yet.
  ///   - export: How an export writes the related objects.
  public init<Inverse: Relationship>(
    _ paths: JSONPaths? = nil,
    inverse: any KeyPath<Destination, Inverse> & Sendable,
    count: ClosedRange<Int>? = nil,
    deleteRule: DeleteRule = .nullify,
    onNull: NullPolicy? = nil,
    onAbsent: AbsentPolicy? = nil,
    collection: CollectionPolicy? = nil,
    removed: RemovedPolicy? = nil,
    reference: ReferencePolicy? = nil,
    export: ExportStyle? = nil
  ) {
    core = RelationshipCore(
      RelationshipSettings(
        paths, isToMany: true, isOrdered: false, count: count, deleteRule: deleteRule,
        onNull: onNull, onAbsent: onAbsent, collection: collection, removed: removed,
        reference: reference, export: export), inverse: inverse)
  }
}
