import Graft

/// Lists the losses of an export: the properties with values that it could not write.
public struct ExportReport: Sendable, Hashable {
  /// The losses, one for each property and reason, in the order of their first occurrence.
  public var losses: [ExportLoss] = []

  /// Creates an empty report.
  public init() {}
}

/// Describes a loss: a property with values that an import of the output does not find again.
///
/// A property that the model or the options exclude, with the path `-` or ``Graft/ExportStyle/omit``, is not a loss.
public struct ExportLoss: Sendable, Hashable {
  /// The name of the objects' entity.
  public var entity: String
  /// The name of the property; several names for an identity, and none for a whole object.
  public var property: String
  /// The first object whose value is lost.
  public var object: ObjectID
  /// The number of objects whose value is lost.
  public var count: Int
  /// A description of the property and the reason; its wording may change.
  public var message: String
}

extension ExportLoss: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}
