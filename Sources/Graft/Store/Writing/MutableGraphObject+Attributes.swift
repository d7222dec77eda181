extension MutableGraphObject {
  /// Returns the value of an attribute.
  ///
  /// - Parameter attribute: The attribute's name.
  /// - Returns: The value; nil if there is none.
  public func value(_ attribute: String) -> AttributeValue? {
    graph.noting(nil) { () throws(StoreError) in
      try graph.value(of: id, attribute: try graph.attributeNumber(attribute, of: id))
    }
  }

  /// Sets an attribute.
  ///
  /// An attribute of the identity may be set: the object is then found by its new identity. A stub
  /// is none any more.
  ///
  /// - Parameters:
  ///   - value: The value, of the attribute's type: nothing is converted, except that numbers are
  ///     widened where nothing is lost; nil for none.
  ///   - attribute: The attribute's name.
  /// - Throws: ``StoreError`` if the name is unknown, the value does not suit, another object has the
  ///   identity, or this one has been deleted; nothing is changed then.
  public func setValue(
    _ value: AttributeValue?, of attribute: String
  ) throws(StoreError) {
    try graph.setValue(value, of: id, attribute: try graph.attributeNumber(attribute, of: id))
  }

  /// The value of an attribute; nil if there is none.
  ///
  /// What ``setValue(_:of:)`` would throw is thrown at the end of the write.
  ///
  /// - Parameter attribute: The attribute's name.
  public subscript(_ attribute: String) -> AttributeValue? {
    get { value(attribute) }
    nonmutating set {
      graph.noting(()) { () throws(StoreError) in try setValue(newValue, of: attribute) }
    }
  }
}
