/// What a program does about the objects of one entity while they are imported.
///
/// The closures run inside the import, on its thread, after an object has been read and before the
/// next one is; what they throw becomes an ``ImportError`` with the object's place, and goes by the
/// error policy.
public struct ImportHooks: Sendable {
  /// Tells whether an object is imported; one that is not is passed over, what it holds with an
  /// identity of its own is not.
  public var shouldImport: (@Sendable (ImportCandidate) throws -> Bool)?
  /// Tells whether a relationship that the document mentions is written.
  public var shouldImportRelationship: (@Sendable (String, ImportCandidate) throws -> Bool)?
  /// May change, add or remove an object's values before they are written.
  public var willImport: (@Sendable (inout ImportCandidate) throws -> Void)?
  /// Refuses an object by throwing, before it is written.
  ///
  /// The candidate has all values that the object would have: those that the document gives, and for
  /// the others what an object that is there has already, or the defaults of a new one. What stays as
  /// it is by the import's mode is not validated, nor is a bare identifier.
  public var validate: (@Sendable (ImportCandidate) throws -> Void)?
  /// Takes note of an object that has been written.
  ///
  /// What it throws ends the import, or is listed in the report; it does not take the object back.
  /// Refuse objects by ``validate``.
  public var didImport: (@Sendable (ImportedObject) throws -> Void)?
  /// May replace or refuse the value of an attribute, by the attribute's name.
  public var validators: [String: @Sendable (AttributeValue?) throws -> AttributeValue?]

  /// Creates hooks; those that are left out cost nothing.
  ///
  /// - Parameters:
  ///   - shouldImport: Tells whether an object is imported.
  ///   - shouldImportRelationship: Tells whether a relationship is written.
  ///   - willImport: May change an object's values.
  ///   - validate: Refuses an object by throwing.
  ///   - didImport: Takes note of an object that has been written.
  ///   - validators: Replace or refuse the values of attributes, by name.
  public init(
    shouldImport: (@Sendable (ImportCandidate) throws -> Bool)? = nil,
    shouldImportRelationship: (@Sendable (String, ImportCandidate) throws -> Bool)? = nil,
    willImport: (@Sendable (inout ImportCandidate) throws -> Void)? = nil,
    validate: (@Sendable (ImportCandidate) throws -> Void)? = nil,
    didImport: (@Sendable (ImportedObject) throws -> Void)? = nil,
    validators: [String: @Sendable (AttributeValue?) throws -> AttributeValue?] = [:]
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
  /// Where the object begins.
  public let location: SourceLocation
  /// The values of the attributes that the document mentions, by name; a value that is nil was
  /// `null`.
  ///
  /// For ``ImportHooks/validate`` those of all attributes that have any.
  public var values: [String: AttributeValue?]
}

/// An object that an import has written.
public struct ImportedObject: Sendable, Hashable {
  /// What the import did to the object.
  public enum Outcome: String, Sendable, Hashable {
    /// The object was not there before.
    case inserted
    /// A value or link of the object differed.
    case updated
    /// The object was so already.
    case unchanged
  }

  /// The object's identifier, valid in the graph that the import publishes unless another writer
  /// has come in between.
  public let id: ObjectID
  /// The name of the object's entity.
  public let entity: String
  /// The path of the object in the document.
  public let path: String
  /// Where the object begins.
  public let location: SourceLocation
  /// What the import did to the object.
  public let outcome: Outcome
}
