/// Calls your code for the objects of one entity while they are imported.
///
/// The closures run inside the import, on its thread, after an object has been read and before the
/// next one is. An error that they throw becomes the ``ImportError/underlyingError`` of an
/// ``ImportError`` with the object's place, and the error policy decides whether the import stops.
public struct ImportHooks: Sendable {
  /// Decides whether an object is imported.
  ///
  /// If it is not, objects inside it that have an identity of their own still are.
  public var shouldImport: (@Sendable (ImportCandidate) throws -> Bool)?
  /// Decides whether a relationship that the document mentions is written, by its name.
  ///
  /// If it is not, objects inside it that have an identity of their own are still imported. Others, and stubs that
  /// nothing else names, are not, unless the document is read by several roots.
  public var shouldImportRelationship: (@Sendable (String, ImportCandidate) throws -> Bool)?
  /// Changes, adds or removes an object's values before they are written, if needed.
  ///
  /// With ``ImportOptions/ErrorPolicy/skipValue`` a value that the attribute cannot have, such as nil where one is
  /// required, is left out alone.
  public var willImport: (@Sendable (inout ImportCandidate) throws -> Void)?
  /// Throws an error to reject an object.
  ///
  /// The candidate has all values of the object: the document's values, and for other attributes
  /// the values of the existing object or the defaults of a new one. Objects that the import's mode
  /// leaves as they are, and bare identifiers, are not validated.
  public var validate: (@Sendable (ImportCandidate) throws -> Void)?
  /// Receives an object after it has been written.
  ///
  /// An error that it throws ends the import, or is listed in the report; it does not take the object
  /// back. To reject objects, use ``validate``.
  public var didImport: (@Sendable (ImportedObject) throws -> Void)?
  /// Receives an object like `didImport`, with the values that the object has now.
  var didImportValues: (@Sendable (ImportCandidate, ImportedObject) throws -> Void)?
  /// Check the values of attributes, by the attribute's name: each returns the value to import, or throws to reject
  /// it.
  ///
  /// With ``ImportOptions/ErrorPolicy/skipValue`` the object is imported without a rejected value, unless that is its
  /// identity.
  public var validators: [String: @Sendable (AttributeValue?) throws -> AttributeValue?]

  /// Creates hooks; a hook that is left out costs nothing.
  ///
  /// - Parameters:
  ///   - shouldImport: Decides whether an object is imported.
  ///   - shouldImportRelationship: Decides whether a relationship is written.
  ///   - willImport: May change an object's values.
  ///   - validate: Rejects an object by throwing.
  ///   - didImport: Is called for an object that has been written.
  ///   - validators: Replace or reject the values of attributes, by name.
  public init(
    shouldImport: (@Sendable (ImportCandidate) throws -> Bool)? = nil,
    shouldImportRelationship: (@Sendable (String, ImportCandidate) throws -> Bool)? = nil,
    willImport: (@Sendable (inout ImportCandidate) throws -> Void)? = nil,
    validate: (@Sendable (ImportCandidate) throws -> Void)? = nil,
    didImport: (@Sendable (ImportedObject) throws -> Void)? = nil,
    validators: [String: @Sendable (AttributeValue?) throws -> AttributeValue?] = .init()
  ) {
    self.shouldImport = shouldImport
    self.shouldImportRelationship = shouldImportRelationship
    self.willImport = willImport
    self.validate = validate
    self.didImport = didImport
    self.validators = validators
  }
}

/// An object that has been read and not yet written.
public struct ImportCandidate: Sendable {
  /// The name of the object's entity.
  public let entity: String
  /// The path of the object in the document.
  public let path: String
  /// The location of the object's beginning.
  public let location: SourceLocation
  /// The values of the attributes that the document mentions, by name; a value that is nil was
  /// `null`.
  ///
  /// For ``ImportHooks/validate`` those of all attributes that have any.
  public var values: [String: AttributeValue?]

  /// The value of an attribute; nil if it was `null` or the document does not mention it.
  ///
  /// - Parameter attribute: The name of the attribute.
  public subscript(attribute: String) -> AttributeValue? {
    get { values[attribute] ?? nil }
    set { values.updateValue(newValue, forKey: attribute) }
  }
}

/// An object that an import has written.
public struct ImportedObject: Sendable, Hashable {
  /// The effect of the import on the object.
  public enum Outcome: String, Sendable, Hashable {
    /// The object is new.
    case inserted
    /// A value or link of the object differed.
    case updated
    /// The object was already as the document says.
    case unchanged
  }

  /// The object's identifier, valid in the graph that the import publishes unless another writer
  /// commits before it.
  public let id: ObjectID
  /// The name of the object's entity.
  public let entity: String
  /// The path of the object in the document.
  public let path: String
  /// The location of the object's beginning.
  public let location: SourceLocation
  /// The effect of the import on the object.
  public let outcome: Outcome
}
