import Foundation

/// Why the store refused a lookup, a write or a commit.
public struct StoreError: Error, Sendable, CustomStringConvertible {
  /// The kind of an error of the store; more may come.
  public struct Code: Sendable, Hashable {
    let name: String

    /// A name that no entity of the model has.
    public static let unknownEntity = Code(name: "unknown entity")
    /// A name that no property of the entity has.
    public static let unknownProperty = Code(name: "unknown property")
    /// A value of a type that the attribute does not take.
    public static let wrongType = Code(name: "wrong type")
    /// An identity that another object has already.
    public static let duplicateIdentity = Code(name: "duplicate identity")
    /// A deletion that a relationship's rule forbids.
    public static let deletionDenied = Code(name: "deletion denied")
    /// Objects that are not as the model requires.
    public static let invalidObjects = Code(name: "invalid objects")
    /// An abstract entity, of which no object can be inserted.
    public static let abstractEntity = Code(name: "abstract entity")
    /// An object that has been deleted in the same write.
    public static let missingObject = Code(name: "missing object")
    /// A relationship of another kind than the call is for.
    public static let wrongRelationship = Code(name: "wrong relationship")
    /// A position beyond the end of an ordered relationship.
    public static let indexOutOfRange = Code(name: "index out of range")
  }

  /// What kind of error it is.
  public let code: Code
  /// What is wrong, where, and what would be right.
  public let message: String
  /// The entity concerned.
  public let entity: String?
  /// The property concerned.
  public let property: String?
  /// The properties that are not as the model requires, up to a limit.
  public let failures: [ValidationFailure]

  init(
    _ code: Code, _ message: String, entity: String? = nil, property: String? = nil,
    failures: [ValidationFailure] = []
  ) {
    self.code = code
    self.message = message
    self.entity = entity
    self.property = property
    self.failures = failures
  }

  /// The message.
  public var description: String { message }
}

/// One property of one object that is not as the model requires.
public struct ValidationFailure: Sendable, Hashable, CustomStringConvertible {
  /// The object.
  public let object: ObjectID
  /// The object's entity.
  public let entity: String
  /// The property.
  public let property: String
  /// What is wrong, and what would be right.
  public let description: String
}

extension AttributeValue {
  /// The value as messages and descriptions show it, shortened where it is long.
  var shortText: String {
    switch self {
    case .integer(let value): String(value)
    case .decimal(let value): value.description
    case .double(let value): value.description
    case .float(let value): value.description
    case .string(let value): "\"\(value.shortened)\""
    case .boolean(let value): String(value)
    case .date(let value): value.description
    case .binary(let value): "\(value.count) bytes"
    case .uuid(let value): value.uuidString
    case .uri(let value): value.absoluteString.shortened
    case .json(let value): value.shortened
    }
  }
}

extension String {
  fileprivate var shortened: String { utf8.count <= 80 ? self : prefix(77) + "…" }
}

extension Sequence<String> {
  /// The strings in quotation marks, separated by commas.
  var quoted: String { map { "\"\($0)\"" }.joined(separator: ", ") }
}
