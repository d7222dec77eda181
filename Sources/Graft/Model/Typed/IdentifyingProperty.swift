// `Identifiable` asks a handle for an `id`, and a declared member hides a dynamic one: were it
// simply the ObjectID, an entity's own attribute `id`, which most documents have, could not be read
// as `tweet.id`. So the entity says what the id is, and the associated type is inferred from the
// declaration of its property `id`.

/// What tells the identifier of a handle, ``Object/id``: an ``Attribute``, or ``ObjectIDProperty``.
///
/// Graft's own properties conform to it; no others may.
public protocol IdentifyingProperty: Sendable {
  /// The type of the identifier.
  associatedtype Value: Hashable & Sendable
}

extension Attribute: IdentifyingProperty where Value: Hashable {}

/// What tells the ``ObjectID`` of handles whose entity has no attribute `id`.
public struct ObjectIDProperty: IdentifyingProperty {
  /// Objects are told apart by their place in the store.
  public typealias Value = ObjectID
}
