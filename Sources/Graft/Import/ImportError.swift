public import Foundation

/// The error that stopped an import, with its place.
///
/// An import that stops has published nothing that was not published before. The wording of
/// messages may change.
///
/// Errors are compared by everything but ``underlyingError``, which need not be comparable.
public struct ImportError: Error, Sendable, Hashable {
  /// The kind of an error; later versions may add kinds.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    /// The kind's name.
    public let description: String

    /// The text is not well-formed JSON, is not Unicode, or ends too early.
    public static let invalidJSON = Kind(description: "invalid JSON")
    /// The document, or one object of it, is larger than the limits allow.
    public static let limit = Kind(description: "limit")
    /// A value is of a wrong type, or cannot be converted without loss.
    public static let wrongType = Kind(description: "wrong type")
    /// A required property has no value.
    public static let missingValue = Kind(description: "missing value")
    /// An object lacks its identity.
    public static let missingIdentity = Kind(description: "missing identity")
    /// An identifier names an object that does not exist, or an object of another entity.
    public static let unresolvedReference = Kind(description: "unresolved reference")
    /// A value breaks a rule of the model, or a hook, transformer or entity mapper threw an error.
    public static let invalidValue = Kind(description: "invalid value")
    /// One import gives an object two different values of an attribute.
    public static let conflict = Kind(description: "conflict")
    /// A key is not part of the entity, or occurs twice in an object.
    public static let key = Kind(description: "key")
    /// A root's path leads nowhere in the document.
    public static let rootNotFound = Kind(description: "root not found")
    /// No value was found at the paths of the model or mapping.
    public static let pathNotFound = Kind(description: "path not found")
    /// The import asks for something that the model does not have, or that cannot be done.
    public static let model = Kind(description: "model")
    /// The import was cancelled.
    public static let cancelled = Kind(description: "cancelled")
  }

  /// The kind of the error.
  public var kind: Kind { fields.value.kind }
  /// The place in the document, if there is one.
  public var location: SourceLocation? { fields.value.location }
  /// The path of the value, such as `$.heroes[3].born`; empty if the error concerns no value.
  public var path: String { fields.value.path }
  /// The name of the entity concerned.
  public var entity: String? { fields.value.entity }
  /// The name of the property concerned.
  public var property: String? { fields.value.property }
  /// A description of the value that the model expects.
  public var expected: String? { fields.value.expected }
  /// A description of the value that was found.
  public var found: String? { fields.value.found }
  /// A description of the error; its wording may change.
  public var message: String { fields.value.message }
  /// The error that caused this one, as it was thrown.
  ///
  /// It was thrown by a hook, a validator, a transformer or an entity mapper; or it is a ``StoreError`` of the
  /// commit, or the ``ParsingError`` of malformed JSON.
  public var underlyingError: (any Error)? { fields.value.underlying.error }

  private let fields: Shared<Fields>

  private struct Fields: Sendable, Hashable {
    let kind: Kind
    let location: SourceLocation?
    let path: String
    let entity: String?
    let property: String?
    let expected: String?
    let found: String?
    let message: String
    let underlying: UnderlyingError
  }

  @inline(never)
  package init(
    kind: Kind, location: SourceLocation? = nil, path: String = "", entity: String? = nil,
    property: String? = nil, expected: String? = nil, found: String? = nil, message: String? = nil,
    underlyingError: (any Error)? = nil
  ) {
    fields = Shared(
      Fields(
        kind: kind, location: location, path: path, entity: entity, property: property,
        expected: expected, found: found,
        message: message ?? "expected \(expected ?? "something else"), found \(found ?? "nothing")",
        underlying: UnderlyingError(underlyingError)))
  }

  package init(_ error: ParsingError) {
    self.init(
      kind: error.kind == .limit ? .limit : .invalidJSON, location: error.location,
      path: error.path, message: error.message, underlyingError: error)
  }

  /// Returns the same error with more in its message.
  package func adding(_ remark: String) -> ImportError {
    ImportError(
      kind: kind, location: location, path: path, entity: entity, property: property,
      expected: expected, found: found, message: message + remark, underlyingError: underlyingError)
  }

  init(_ error: StoreError) {
    self.init(
      kind: .invalidValue, entity: error.entity, property: error.property, message: "\(error)",
      underlyingError: error)
  }
}

extension ImportError: CustomStringConvertible {
  /// Line, column, path and message, such as `41:9: $.heroes[3].born: expected a date, found the
  /// number 1939`.
  public var description: String {
    let place = location.map { "\($0.line):\($0.column): " } ?? ""
    return place + (path.isEmpty ? message : "\(path.shortenedPath): \(message)")
  }
}

extension ImportError: LocalizedError {
  /// The description, which is also the `localizedDescription`.
  public var errorDescription: String? { description }
}
