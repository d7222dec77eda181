/// A relationship of an ``Entity`` that leads to one object at most.
///
/// The name of the relationship is the name of the stored property.
public struct ToOne<Destination: Entity>: Relationship {
  @usableFromInline let core: RelationshipCore<Destination>

  /// Creates a relationship.
  ///
  /// - Parameters:
  ///   - paths: Where the object stands in JSON; by default under the relationship's own name.
  ///   - isRequired: Whether every object must have a link.
  ///   - deleteRule: What happens to the other end when an object is deleted.
  ///   - onNull: What `null` does.
  ///   - onAbsent: What the absence of the key does.
  ///   - reference: What a bare identifier does that names no object yet.
  ///   - export: How an export writes the related objects.
  public init(
    _ paths: JSONPaths? = nil,
    isRequired: Bool = false,
    deleteRule: DeleteRule = .nullify,
    onNull: NullPolicy? = nil,
    onAbsent: AbsentPolicy? = nil,
    reference: ReferencePolicy? = nil,
    export: ExportStyle? = nil
  ) {
    core = RelationshipCore(
      RelationshipSettings(
        paths, isRequired: isRequired, deleteRule: deleteRule, onNull: onNull, onAbsent: onAbsent,
        reference: reference, export: export))
  }

  /// Creates a relationship with an inverse.
  ///
  /// - Parameters:
  ///   - paths: Where the object stands in JSON; by default under the relationship's own name.
  ///   - inverse: The destination's relationship that leads back. It is named at one of the two ends;
  ///     the compiler cannot infer two properties from each other.
  ///   - isRequired: Whether every object must have a link.
  ///   - deleteRule: What happens to the other end when an object is deleted.
  ///   - onNull: What `null` does.
  ///   - onAbsent: What the absence of the key does.
  ///   - reference: What a bare identifier does that names no object yet.
  ///   - export: How an export writes the related objects.
  public init<Inverse: Relationship>(
    _ paths: JSONPaths? = nil,
    inverse: any KeyPath<Destination, Inverse> & Sendable,
    isRequired: Bool = false,
    deleteRule: DeleteRule = .nullify,
    onNull: NullPolicy? = nil,
    onAbsent: AbsentPolicy? = nil,
    reference: ReferencePolicy? = nil,
    export: ExportStyle? = nil
  ) {
    core = RelationshipCore(
      RelationshipSettings(
        paths, isRequired: isRequired, deleteRule: deleteRule, onNull: onNull, onAbsent: onAbsent,
        reference: reference, export: export), inverse: inverse)
  }
}
