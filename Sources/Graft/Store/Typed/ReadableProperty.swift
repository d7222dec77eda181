/// A property that can be read through a handle: each of Graft's own.
///
/// There is no need for other types to conform to it.
public protocol ReadableProperty: Property {
  /// What an ``Object`` gives for the property.
  associatedtype Content

  /// Returns what the property holds.
  ///
  /// - Parameter object: The object, of the property's entity or of one below it.
  /// - Returns: The value of an attribute, the object or objects that a relationship leads to.
  func content<E: Entity>(of object: Object<E>) -> Content
}

extension Attribute: ReadableProperty {
  /// Returns the value of the attribute.
  ///
  /// - Parameter object: The object.
  /// - Returns: The value; where there is none, what the attribute reads as without one.
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
