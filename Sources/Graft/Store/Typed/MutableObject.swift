/// An object in a graph that is being written, with a member for each property of its ``Entity``;
/// see ``GraphStore/write(_:)``.
///
/// ```swift
/// try store.write { graph in
///   let tweet = try graph.findOrInsert(Tweet.self, id: 7)
///   tweet.text = "There it is!"
///   tweet.author = try graph.findOrInsert(User.self, id: 1)
///   tweet.hashtags.append(try graph.findOrInsert(Hashtag.self, id: "sun"))
/// }
/// ```
///
/// It reads the changes so far. An impossible assignment, such as an identity that another object
/// has, has no effect, and `write` throws the error at its end.
@dynamicMemberLookup
public struct MutableObject<E: Entity> {
  /// The handle that reads and writes the same object by names.
  public let untyped: MutableGraphObject
  let type: EntityType<E>

  /// - Precondition: The object is of the entity, or of one below it.
  package init(of untyped: MutableGraphObject) {
    self.untyped = untyped
    type = .shared
  }

  /// Creates the typed handle on an object; nil if the object is not of the entity, nor of one
  /// below it.
  ///
  /// - Parameter object: A handle that reads and writes by names.
  public init?(_ object: MutableGraphObject) {
    let family = object.graph.schema.schema(of: E.self).family
    guard family.contains(object.id.entity) else { return nil }
    self.init(of: object)
  }

  /// Returns the same object as an object of a sub-entity, to write the sub-entity's own
  /// properties, or of an entity above.
  ///
  /// - Parameter entity: The other entity.
  /// - Returns: The handle; nil if the object is not of that entity.
  public func `as`<Other: Entity>(_ entity: Other.Type) -> MutableObject<Other>? {
    MutableObject<Other>(untyped)
  }

  var graph: MutableGraph { untyped.graph }

  /// The object's identifier, the same in the graph that is published.
  public var objectID: ObjectID { untyped.id }

  /// Whether the object has been deleted in this write.
  public var isDeleted: Bool { untyped.isDeleted }

  /// Whether only the object's identity is known so far; setting an attribute makes it a full
  /// object.
  public var isStub: Bool { untyped.isStub }

  /// Deletes the object, and others by its delete rules.
  ///
  /// - Throws: ``StoreError`` if a relationship with the rule ``DeleteRule/deny`` leads to an
  ///   object that stays; nothing is deleted then.
  /// - Complexity: O(*n*) in the links of the deleted objects.
  public func delete() throws(StoreError) { try untyped.delete() }
}

extension MutableObject {
  /// The value of an attribute, or the object or objects that a relationship leads to.
  ///
  /// - Parameter property: The property's key path.
  public subscript<P: WritableProperty>(
    dynamicMember property: any KeyPath<E, P> & Sendable
  ) -> P.MutableContent {
    get { type.prototype[keyPath: property].content(of: self) }
    nonmutating set { type.prototype[keyPath: property].setContent(newValue, of: self) }
  }

  // Matches no property. Without a second subscript, Swift 6.3 cannot say what is wrong with an assignment to a
  // misspelt property ("failed to produce diagnostic for expression").
  /// Not available.
  @available(*, unavailable)
  @_disfavoredOverload
  @_documentation(visibility: internal)
  public subscript(dynamicMember property: KeyPath<E, Attribute<Never>>) -> Any {
    get { misuse("no attribute has the type Never") }
    nonmutating set {}
  }

  /// The value of a property, even if a member of the handle has the same name.
  ///
  /// - Parameter property: The property's key path.
  public subscript<P: WritableProperty>(_ property: KeyPath<E, P>) -> P.MutableContent {
    get { type.prototype[keyPath: property].content(of: self) }
    nonmutating set { type.prototype[keyPath: property].setContent(newValue, of: self) }
  }
}

extension MutableObject {
  func value<Value>(of attribute: Attribute<Value>) -> Value {
    let core = attribute.core
    return graph.deferringErrors(core.value(of: .null)) { writer throws(StoreError) in
      try core.value(ofKept: writer.value(of: objectID, attribute: core.number))
    }
  }

  func set<Value>(_ attribute: Attribute<Value>, _ value: Value) {
    graph.deferringErrors(()) { writer throws(StoreError) in
      let number = attribute.core.number
      let encoded: AttributeValue?
      do {
        encoded = try attribute.core.codec.encode(value)
      } catch {
        throw untyped.schema.unencodable(error, attribute: number)
      }
      try writer.setValue(encoded, of: objectID, attribute: number)
    }
  }

  func target<Destination>(
    of relationship: ToOne<Destination>
  ) -> MutableObject<Destination>? {
    graph.deferringErrors(nil) { writer throws(StoreError) in
      try writer.target(of: objectID, relationship: relationship.core.number)
        .map { MutableObject<Destination>(of: graph.handle($0)) }
    }
  }

  func link<Destination>(
    _ relationship: ToOne<Destination>, _ target: MutableObject<Destination>?
  ) {
    let target = target.map { graph.id(of: $0.untyped) }
    graph.deferringErrors(()) { writer throws(StoreError) in
      try writer.setTarget(target, of: objectID, relationship: relationship.core.number)
    }
  }
}

extension MutableObject: Identifiable {
  /// The value of the entity's attribute `id`, which may be set; without such an attribute the
  /// ``objectID``.
  public var id: E.IDProperty.Value {
    get {
      if let attribute = type.prototype.id as? Attribute<E.IDProperty.Value> {
        return value(of: attribute)
      }
      if let id = objectID as? E.IDProperty.Value { return id }
      misuse("an IdentifyingProperty is an Attribute or ObjectIDProperty")
    }
    nonmutating set {
      guard let attribute = type.prototype.id as? Attribute<E.IDProperty.Value> else {
        misuse(
          "\(E.entityName) has no attribute `id`, and an ObjectID is the store's to give")
      }
      set(attribute, newValue)
    }
  }
}

@available(
  *, unavailable, message: "it is valid only within write(_:); return its objectID instead"
)
extension MutableObject: Sendable {}

extension MutableObject: Hashable {
  /// Returns whether two handles are on the same object in the same write.
  ///
  /// - Parameters:
  ///   - lhs: A handle.
  ///   - rhs: Another handle.
  /// - Returns: Whether they are equal.
  public static func == (lhs: MutableObject, rhs: MutableObject) -> Bool {
    lhs.untyped == rhs.untyped
  }

  /// Feeds the object's identifier to a hasher.
  ///
  /// - Parameter hasher: The hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(untyped) }
}

// Not CustomStringConvertible: its `description` would hide an attribute of that name.
extension MutableObject: CustomDebugStringConvertible {
  /// The entity and the attributes that have a value, long values shortened.
  public var debugDescription: String { untyped.description }
}

extension MutableGraph {
  /// Inserts an object.
  ///
  /// If `configure` throws and the write goes on, the object stays, with what was set until then.
  ///
  /// - Parameters:
  ///   - entity: The object's entity.
  ///   - configure: Sets the object's properties; other properties have their defaults.
  /// - Returns: The object.
  /// - Throws: ``StoreError`` if the entity is abstract; what `configure` throws.
  @discardableResult
  public func insert<E: Entity>(
    _ entity: E.Type, _ configure: (MutableObject<E>) throws -> Void = { _ in }
  ) throws -> MutableObject<E> {
    let object = MutableObject<E>(of: handle(try writer.insert(schema.schema(of: entity), [])))
    try configure(object)
    return object
  }

  /// Returns the object with an identity of one attribute, inserted if there is none yet.
  ///
  /// - Parameters:
  ///   - entity: The entity; an object of one below it may be found.
  ///   - identity: The value of its identity attribute.
  /// - Returns: The object.
  /// - Throws: ``StoreError`` if the entity's identity is not one attribute of this type, or the
  ///   entity is abstract and the object not there.
  /// - Complexity: O(1) on average.
  @discardableResult
  public func findOrInsert<E: Entity, Value: AttributeConvertible>(
    _ entity: E.Type, id identity: Value
  ) throws(StoreError) -> MutableObject<E> {
    let schema = schema.schema(of: entity)
    return MutableObject(
      of: try findOrInsert(
        schema.name,
        identifiedBy: try schema.soleIdentity { try Value.attributeCodec.encode(identity) }))
  }

  /// Returns the object with an identity of one attribute.
  ///
  /// - Parameters:
  ///   - entity: The entity; objects of entities below it are found as well.
  ///   - identity: The value of its identity attribute.
  /// - Returns: The object; nil if there is none.
  /// - Throws: ``StoreError`` if the entity's identity is not one attribute of this type.
  /// - Complexity: O(1) on average.
  public func object<E: Entity, Value: AttributeConvertible>(
    _ entity: E.Type, id identity: Value
  ) throws(StoreError) -> MutableObject<E>? {
    let schema = schema.schema(of: entity)
    let found = try object(
      schema.name,
      identifiedBy: try schema.soleIdentity { try Value.attributeCodec.encode(identity) })
    return found.map { MutableObject(of: $0) }
  }

  /// Returns the object with an identity of several attributes, inserted if there is none yet.
  ///
  /// - Parameters:
  ///   - entity: The entity; an object of one below it may be found.
  ///   - identity: The key path of each of its identity attributes, and the value.
  /// - Returns: The object.
  /// - Throws: ``StoreError`` if the key paths are not those of the identity, or the entity is
  ///   abstract and the object not there.
  /// - Complexity: O(1) on average.
  @discardableResult
  public func findOrInsert<E: Entity, each Value>(
    _ entity: E.Type, identifiedBy identity: repeat (KeyPath<E, Attribute<each Value>>, each Value)
  ) throws(StoreError) -> MutableObject<E> {
    let schema = schema.schema(of: entity)
    let values = try schema.identity(of: entity, repeat each identity)
    return MutableObject(of: try findOrInsert(schema.name, identifiedBy: values))
  }

  /// Returns the object with an identity of several attributes.
  ///
  /// - Parameters:
  ///   - entity: The entity; objects of entities below it are found as well.
  ///   - identity: The key path of each of its identity attributes, and the value.
  /// - Returns: The object; nil if there is none.
  /// - Throws: ``StoreError`` if the key paths are not those of the identity.
  /// - Complexity: O(1) on average.
  public func object<E: Entity, each Value>(
    _ entity: E.Type, identifiedBy identity: repeat (KeyPath<E, Attribute<each Value>>, each Value)
  ) throws(StoreError) -> MutableObject<E>? {
    let schema = schema.schema(of: entity)
    let values = try schema.identity(of: entity, repeat each identity)
    return try object(schema.name, identifiedBy: values).map { MutableObject(of: $0) }
  }

  /// Returns an object by its identifier.
  ///
  /// - Parameters:
  ///   - id: The object's identifier, from this store.
  ///   - entity: The entity to read and write it as.
  /// - Returns: The object; nil if it is deleted, or of another entity.
  public func object<E: Entity>(
    _ id: ObjectID, as entity: E.Type = E.self
  ) -> MutableObject<E>? {
    object(id).flatMap { MutableObject($0) }
  }

  /// Returns the number of objects of an entity.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - includesSubentities: Whether objects of the entities below it are counted.
  /// - Returns: The number.
  public func count<E: Entity>(of entity: E.Type, includesSubentities: Bool = true) -> Int {
    count(schema.family(of: entity, includesSubentities))
  }

  /// Returns the object of a snapshot's handle.
  ///
  /// - Parameter object: A handle from a snapshot of this store.
  /// - Returns: The object as it is now; nil if it has been deleted since.
  public func object<E: Entity>(_ object: Object<E>) -> MutableObject<E>? {
    self.object(GraphObject(object)).map { MutableObject(of: $0) }
  }

  /// Returns the objects of an entity, by entity and insertion.
  ///
  /// Objects may be written during an iteration: newly inserted ones are not visited, deleted ones
  /// are skipped.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - includesSubentities: Whether objects of the entities below it are included.
  /// - Returns: The objects as a collection that makes handles on demand.
  /// - Complexity: O(1) in a ``GraphStore``; a write to a database reads all these objects.
  public func objects<E: Entity>(
    _ entity: E.Type, includesSubentities: Bool = true
  ) -> some BidirectionalCollection<MutableObject<E>> {
    handles(of: schema.family(of: entity, includesSubentities)) {
      MutableObject(of: self.handle($0))
    }
  }

  /// Deletes an object, and others by its delete rules.
  ///
  /// - Parameter object: The object; one that is deleted already is skipped.
  /// - Returns: The number of deleted objects.
  /// - Throws: ``StoreError`` if a relationship with the rule ``DeleteRule/deny`` leads to an
  ///   object that stays; nothing is deleted then.
  /// - Complexity: O(*n*) in the links of the deleted objects.
  @discardableResult
  public func delete<E: Entity>(_ object: MutableObject<E>) throws(StoreError) -> Int {
    try delete(object.untyped)
  }

  /// Deletes objects, and others by their delete rules.
  ///
  /// - Parameter objects: The objects; those that are deleted already are skipped.
  /// - Returns: The number of deleted objects.
  /// - Throws: ``StoreError`` if a relationship with the rule ``DeleteRule/deny`` leads from one of
  ///   them to an object that stays; nothing is deleted then.
  /// - Complexity: O(*n*) in the links of the deleted objects. A to-many relationship that loses many is read once.
  @discardableResult
  public func delete<E: Entity>(
    _ objects: some Sequence<MutableObject<E>>
  ) throws(StoreError) -> Int {
    try delete(objects.map(\.untyped))
  }
}
