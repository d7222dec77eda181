public import Foundation

/// The error of a lookup, a write or a commit that the store refused.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of an error; later versions may add kinds.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    /// The kind's name.
    public let description: String

    /// A name that no entity of the model has.
    public static let unknownEntity = Kind(description: "unknown entity")
    /// A name that no property of the entity has.
    public static let unknownProperty = Kind(description: "unknown property")
    /// A value of a type that the attribute does not take.
    public static let wrongType = Kind(description: "wrong type")
    /// An identity that another object has already.
    public static let duplicateIdentity = Kind(description: "duplicate identity")
    /// A deletion that a relationship's rule forbids.
    public static let deletionDenied = Kind(description: "deletion denied")
    /// Objects that violate the model.
    public static let invalidObjects = Kind(description: "invalid objects")
    /// An attempt to insert an object of an abstract entity.
    public static let abstractEntity = Kind(description: "abstract entity")
    /// An object that has been deleted in the same write.
    public static let missingObject = Kind(description: "missing object")
    /// A relationship of another kind than the call expects.
    public static let wrongRelationship = Kind(description: "wrong relationship")
    /// A position beyond the end of an ordered relationship.
    public static let indexOutOfRange = Kind(description: "index out of range")
    /// An object without identity, for a database that keeps its objects under their identities.
    public static let missingKey = Kind(description: "missing key")
    /// An invalid condition, order or query of a database.
    public static let invalidCondition = Kind(description: "invalid condition")
    /// A part of a graph that the query of a database has not read; ``StoreError/following`` names
    /// the missing path.
    public static let notRead = Kind(description: "not read")
    /// A database that cannot be opened, read or written.
    public static let database = Kind(description: "database")
  }

  /// The kind of the error.
  public let kind: Kind
  /// The fault, its place and the remedy.
  public let message: String
  /// The entity concerned.
  public let entity: String?
  /// The property concerned.
  public let property: String?
  /// The properties that violate the model, up to a limit.
  public let failures: [ValidationFailure]
  /// The path of relationships, such as `comments.author`, that a query of a database must follow
  /// to read the missing part.
  public let following: String?
  /// Whether a database has refused the text of a statement, which is a mistake of the statement's
  /// author.
  package let refusesStatement: Bool

  package init(
    _ kind: Kind, _ message: String, entity: String? = nil, property: String? = nil,
    failures: [ValidationFailure] = [], following: String? = nil, refusesStatement: Bool = false
  ) {
    self.refusesStatement = refusesStatement
    self.kind = kind
    self.message = message
    self.entity = entity
    self.property = property
    self.failures = failures
    self.following = following
  }

  /// The message.
  public var description: String { message }
}

/// A property of an object that violates the model.
public struct ValidationFailure: Sendable, Hashable, CustomStringConvertible {
  /// The object.
  public let object: ObjectID
  /// The object's entity.
  public let entity: String
  /// The property.
  public let property: String
  /// The fault and the remedy.
  public let description: String
}

extension StoreError: LocalizedError {
  /// The description, which is also the `localizedDescription`.
  public var errorDescription: String? { description }
}
