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
  public var kind: Kind { fields.value.kind }
  /// The fault, its place and the remedy.
  public var message: String { fields.value.message }
  /// The entity concerned.
  public var entity: String? { fields.value.entity }
  /// The property concerned.
  public var property: String? { fields.value.property }
  /// The properties that violate the model, up to a limit.
  public var failures: [ValidationFailure] { fields.value.failures }
  /// The path of relationships, such as `comments.author`, that a query of a database must follow
  /// to read the missing part.
  public var following: String? { fields.value.following }
  /// Whether a database has refused the text of a statement, because its author made a mistake.
  package var refusesStatement: Bool { fields.value.refusesStatement }

  private let fields: Shared<Fields>

  private struct Fields: Sendable, Hashable {
    let kind: Kind
    let message: String
    let entity: String?
    let property: String?
    let failures: [ValidationFailure]
    let following: String?
    let refusesStatement: Bool
  }

  @inline(never)
  package init(
    _ kind: Kind, _ message: String, entity: String? = nil, property: String? = nil,
    failures: [ValidationFailure] = [], following: String? = nil, refusesStatement: Bool = false
  ) {
    fields = Shared(
      Fields(
        kind: kind, message: message, entity: entity, property: property, failures: failures,
        following: following, refusesStatement: refusesStatement))
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
