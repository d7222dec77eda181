// `Identifiable` requires an `id`, and a declared member hides a dynamic one. If `id` were simply
// the ObjectID, an entity's own attribute `id` could not be read as `tweet.id`, and most documents
// have such an attribute. So the entity decides its id: the associated type is inferred from the
// declaration of its property `id`.

/// The property that gives a handle its ``Object/id``: an ``Attribute``, or ``ObjectIDProperty``.
///
/// Graft's own properties conform to it; no others may.
@_documentation(visibility: internal)
public protocol IdentifyingProperty: Sendable {
  /// The type of the identifier.
  associatedtype Value: Hashable & Sendable
}

extension Attribute: IdentifyingProperty where Value: Hashable {}

/// Identifies handles by their ``ObjectID``, for entities without an attribute `id`.
@_documentation(visibility: internal)
public struct ObjectIDProperty: IdentifyingProperty {
  /// Objects are identified by their place in the store.
  public typealias Value = ObjectID
}
