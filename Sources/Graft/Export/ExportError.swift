public import Foundation

/// Why an export stopped, and at which object.
///
/// Errors are compared by everything but ``underlyingError``, which need not be comparable.
public struct ExportError: Error, Sendable, Hashable {
  /// What kind of thing went wrong; more kinds may come.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    /// The kind's name.
    public let description: String

    /// The model does not have what the options or the caller name, or it is another model.
    public static let model = Kind(description: "model")
    /// A value that JSON has no form for, such as an infinite number.
    public static let invalidValue = Kind(description: "invalid value")
    /// A transformer threw an error.
    public static let transformer = Kind(description: "transformer")
    /// Objects nest deeper, or are more, than the limits allow.
    public static let limit = Kind(description: "limit")
    /// What is to be written was not read from the database; the ``ExportError/underlyingError`` is the
    /// ``StoreError`` that says what to follow.
    public static let notRead = Kind(description: "not read")
  }

  /// What kind of thing went wrong.
  public let kind: Kind
  /// The name of the entity concerned.
  public let entity: String?
  /// The name of the property concerned.
  public let property: String?
  /// The object concerned.
  public let object: ObjectID?
  /// What went wrong, where, and what would be right; its wording may change.
  public let message: String
  /// The error behind this one, as it was thrown: that of a transformer, for example.
  public var underlyingError: (any Error)? { underlying.error }

  private let underlying: UnderlyingError

  init(
    _ kind: Kind, entity: String? = nil, property: String? = nil, object: ObjectID? = nil,
    _ message: String, underlyingError: (any Error)? = nil
  ) {
    self.kind = kind
    self.entity = entity
    self.property = property
    self.object = object
    self.message = message
    underlying = UnderlyingError(underlyingError)
  }
}

extension ExportError {
  /// An error for a part of a graph that was not read.
  init(_ error: StoreError) {
    self.init(
      .notRead, entity: error.entity, property: error.property, error.message,
      underlyingError: error)
  }
}

extension ExportError: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}

extension ExportError: LocalizedError {
  /// The description, which is what `localizedDescription` says.
  public var errorDescription: String? { description }
}
