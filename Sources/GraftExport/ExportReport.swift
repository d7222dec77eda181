import Graft

/// The properties that an export could not write.
public struct ExportReport: Sendable, Hashable {
  /// The properties left out, once for each property and reason, in the order of their first
  /// occurrence.
  public var notices: [ExportNotice] = []

  /// Creates an empty report.
  public init() {}
}

/// A property with values that an export has left out: an import of the output does not find them
/// again.
///
/// A property that the model or the options leave out, with the path `-` or ``Graft/ExportStyle/omit``,
/// gives no notice.
public struct ExportNotice: Sendable, Hashable {
  /// The name of the objects' entity.
  public var entity: String
  /// The name of the property; several names for an identity, and none for a whole object.
  public var property: String
  /// The first object whose value was left out.
  public var object: ObjectID
  /// The number of objects whose value was left out.
  public var count: Int
  /// A description of the property and the reason; its wording may change.
  public var message: String
}

extension ExportNotice: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}
