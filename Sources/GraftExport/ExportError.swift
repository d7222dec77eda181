public import Foundation
import Graft

/// The error that stopped an export, with its object.
///
/// Errors are compared by everything but ``underlyingError``, which need not be comparable.
public struct ExportError: Error, Sendable, Hashable {
  /// The kind of an error; later versions may add kinds.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    /// The kind's name.
    public let description: String

    /// The options or the caller name something that the model lacks, or the content follows
    /// another model.
    public static let model = Kind(description: "model")
    /// A value that JSON has no form for, such as an infinite number.
    public static let invalidValue = Kind(description: "invalid value")
    /// A transformer threw an error.
    public static let transformer = Kind(description: "transformer")
    /// Objects nest too deep, or too many nest in one object.
    public static let limit = Kind(description: "limit")
    /// An attempt to write content that was not read from the database.
    ///
    /// The ``ExportError/underlyingError`` is the ``Graft/StoreError`` that names the missing
    /// `following:`.
    public static let notRead = Kind(description: "not read")
  }

  /// The kind of the error.
  public let kind: Kind
  /// The name of the entity concerned.
  public let entity: String?
  /// The name of the property concerned.
  public let property: String?
  /// The object concerned.
  public let object: ObjectID?
  /// A description of the fault, its place and the remedy; its wording may change.
  public let message: String
  /// The error that caused this one, as it was thrown, such as a transformer's error.
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
  /// Creates the error for a part of a graph that was not read.
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
  /// The description, which is also the `localizedDescription`.
  public var errorDescription: String? { description }
}
