/// A kind of objects, described by a struct: its stored properties are the objects' attributes and
/// relationships.
///
/// ```swift
/// struct Tweet: Entity {
///   let id = Attribute<Int64>("id_str")
///   let text = Attribute<String>()
///   let author = ToOne<User>("user", inverse: \.tweets)
///   static let identity = [\Self.id]
/// }
/// ```
///
/// The struct itself holds no data. Objects are read through ``Object``, which has a member for
/// each property: of an `Object<Tweet>`, `tweet.text` is a `String`. Asking a graph about an entity stops
/// the program if its model was not made from that entity: give `GraphStore(for:)` the entity, or one that
/// leads to it.
///
/// Structs do not inherit. An entity names the entity above as its
/// `Superentity`, and its objects have that entity's properties too:
///
/// ```swift
/// struct Video: Entity {
///   typealias Superentity = Media
///   let duration = Attribute<Double>()
/// }
/// ```
@dynamicMemberLookup
public protocol Entity: InheritingEntity {
  // Unconstrained, because `[\Self.id]` is an array of `KeyPath<Self, …> & Sendable`, which fulfils
  // no useful constraint. The content is checked when the model is made.
  /// A key path of an attribute, or an array of them.
  associatedtype Identity = InheritedIdentity

  /// Creates the description; called once for a program's run, and once for each prototype.
  init()

  /// The entity's name in the model; by default the type's.
  static var entityName: String { get }
  /// The attributes by which an object is found again, such as `[\Self.id]`; by default those of
  /// the entity above.
  static var identity: Identity { get }
  /// The further options of the entity.
  static var options: EntityOptions<Self> { get }
}

/// Gives an ``Entity`` access to the declarations of the entity above it.
///
/// This is a protocol of its own because the compiler cannot infer ``Entity/Identity`` from
/// `[\Self.id]` and ``IDProperty`` from `id` in one protocol.
@_documentation(visibility: internal)
public protocol InheritingEntity: Sendable {
  /// The entity whose properties and policies this one inherits; ``RootEntity`` for none.
  associatedtype Superentity: Entity = RootEntity
  /// The property that gives ``Object/id``: the entity's attribute `id`, if it has one.
  associatedtype IDProperty: IdentifyingProperty = Superentity.IDProperty

  /// The attribute that gives ``Object/id``; inherited from ``Superentity`` unless the entity declares one.
  var id: IDProperty { get }
}

extension Entity {
  /// The type's name.
  public static var entityName: String { String(describing: Self.self).withoutBackticks }

  /// The default options.
  public static var options: EntityOptions<Self> { EntityOptions() }
}

extension Entity {
  /// A property that an entity above declares, at any distance.
  ///
  /// - Parameter property: The property's key path.
  @inlinable
  public subscript<P: Property>(
    dynamicMember property: any KeyPath<Superentity, P> & Sendable
  ) -> P {
    EntityType<Superentity>.shared.prototype[keyPath: property]
  }
}

extension Entity where Identity == InheritedIdentity {
  /// The identity of the entity above, if there is one.
  public static var identity: InheritedIdentity { InheritedIdentity() }
}

/// The identity of an entity that declares none: the identity of the entity above, if there is one.
@_documentation(visibility: internal)
public struct InheritedIdentity: Sendable {}

extension InheritingEntity where IDProperty == Superentity.IDProperty {
  /// The property that identifies objects of the entity above.
  public var id: Superentity.IDProperty { EntityType<Superentity>.shared.prototype.id }
}

/// The superentity of an entity that inherits from none.
@_documentation(visibility: internal)
public struct RootEntity: Entity {
  /// It is its own superentity.
  public typealias Superentity = RootEntity
  /// Objects are identified by their ``ObjectID``.
  public typealias IDProperty = ObjectIDProperty

  /// Objects are identified by their ``ObjectID``.
  public let id = ObjectIDProperty()

  /// Creates the entity, which has no properties.
  public init() {}
}
