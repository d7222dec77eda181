/// A property that can be read through a handle.
///
/// Graft's own properties conform to it; yours need not.
@_documentation(visibility: internal)
public protocol ReadableProperty: Property {
  /// The type that an ``Object`` returns for the property.
  associatedtype Content

  /// Returns the content of the property.
  ///
  /// - Parameter object: The object, of the property's entity or of one below it.
  /// - Returns: The value of an attribute, the object or objects that a relationship leads to.
  func content<E: Entity>(of object: Object<E>) -> Content
}

extension Attribute: ReadableProperty {
  /// Returns the value of the attribute.
  ///
  /// - Parameter object: The object.
  /// - Returns: The value; if there is none, what the attribute reads as without one.
  @inlinable public func content<E: Entity>(of object: Object<E>) -> Value {
    object.value(of: self)
  }
}

extension ToOne: ReadableProperty {
  /// Returns the object that the relationship leads to.
  ///
  /// - Parameter object: The object that it leads from.
  /// - Returns: The object; nil if there is none.
  @inlinable public func content<E: Entity>(of object: Object<E>) -> Object<Destination>? {
    object.object(of: self)
  }
}

extension ToMany: ReadableProperty {
  /// Returns the objects that the relationship leads to.
  ///
  /// - Parameter object: The object that it leads from.
  /// - Returns: The objects, by entity and insertion.
  @inlinable public func content<E: Entity>(of object: Object<E>) -> RelatedObjects<Destination> {
    object.objects(of: core)
  }
}

extension ToManyOrdered: ReadableProperty {
  /// Returns the objects that the relationship leads to.
  ///
  /// - Parameter object: The object that it leads from.
  /// - Returns: The objects, in the relationship's order.
  @inlinable public func content<E: Entity>(of object: Object<E>) -> RelatedObjects<Destination> {
    object.objects(of: core)
  }
}

/// A property that handles in `write` can read and set.
///
/// Graft's own properties conform to it; yours need not.
@_documentation(visibility: internal)
public protocol WritableProperty: Property {
  /// The type that a ``MutableObject`` returns and takes for the property.
  associatedtype MutableContent

  /// Returns the content of the property.
  ///
  /// - Parameter object: The object, of the property's entity or of one below it.
  /// - Returns: The value of an attribute, the object or objects that a relationship leads to.
  func content<E: Entity>(of object: MutableObject<E>) -> MutableContent

  /// Changes the content of the property.
  ///
  /// - Parameters:
  ///   - content: The new content.
  ///   - object: The object, of the property's entity or of one below it.
  func setContent<E: Entity>(_ content: MutableContent, of object: MutableObject<E>)
}

extension Attribute: WritableProperty {
  /// Returns the value of the attribute.
  ///
  /// - Parameter object: The object.
  /// - Returns: The value; if there is none, what the attribute reads as without one.
  public func content<E: Entity>(of object: MutableObject<E>) -> Value { object.value(of: self) }

  /// Sets the attribute.
  ///
  /// - Parameters:
  ///   - content: The value.
  ///   - object: The object.
  public func setContent<E: Entity>(_ content: Value, of object: MutableObject<E>) {
    object.set(self, content)
  }
}

extension ToOne: WritableProperty {
  /// Returns the object that the relationship leads to.
  ///
  /// - Parameter object: The object that it leads from.
  /// - Returns: The object; nil if there is none.
  public func content<E: Entity>(of object: MutableObject<E>) -> MutableObject<Destination>? {
    object.target(of: self)
  }

  /// Links an object, or none.
  ///
  /// - Parameters:
  ///   - content: The object; nil for none.
  ///   - object: The object that the relationship leads from.
  public func setContent<E: Entity>(
    _ content: MutableObject<Destination>?, of object: MutableObject<E>
  ) {
    object.link(self, content)
  }
}

extension ToMany: WritableProperty {
  /// Returns the objects that the relationship leads to.
  ///
  /// - Parameter object: The object that it leads from.
  /// - Returns: The objects, which may be added to and taken from.
  public func content<E: Entity>(
    of object: MutableObject<E>
  ) -> MutableRelatedObjects<Destination> {
    MutableRelatedObjects(object.untyped, core)
  }

  /// Replaces the linked objects with the objects of another relationship.
  ///
  /// - Parameters:
  ///   - content: The objects.
  ///   - object: The object that the relationship leads from.
  public func setContent<E: Entity>(
    _ content: MutableRelatedObjects<Destination>, of object: MutableObject<E>
  ) {
    self.content(of: object).replace(with: content)
  }
}

extension ToManyOrdered: WritableProperty {
  /// Returns the objects that the relationship leads to.
  ///
  /// - Parameter object: The object that it leads from.
  /// - Returns: The objects in their order, which may be added to and taken from.
  public func content<E: Entity>(
    of object: MutableObject<E>
  ) -> MutableRelatedObjects<Destination> {
    MutableRelatedObjects(object.untyped, core)
  }

  /// Replaces the linked objects with the objects of another relationship.
  ///
  /// - Parameters:
  ///   - content: The objects.
  ///   - object: The object that the relationship leads from.
  public func setContent<E: Entity>(
    _ content: MutableRelatedObjects<Destination>, of object: MutableObject<E>
  ) {
    self.content(of: object).replace(with: content)
  }
}
