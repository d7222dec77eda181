/// What an export could not say.
public struct ExportReport: Sendable, Hashable {
  /// What was left out, once for each property and reason, in the order in which it was met first.
  public var notices: [ExportNotice] = []

  /// Creates an empty report.
  public init() {}
}

/// A property that an export has left out, though objects have it: an import of what was written does not
/// find it again.
///
/// What the model or the options leave out, with the path `-` or ``ExportStyle/omit``, is no notice.
public struct ExportNotice: Sendable, Hashable {
  /// The name of the objects' entity.
  public var entity: String
  /// The name of the property; several, where they are an identity, and none, where a whole object is meant.
  public var property: String
  /// The first object that has lost it.
  public var object: ObjectID
  /// How many times it was left out.
  public var count: Int
  /// What was left out, and why; its wording may change.
  public var message: String
}

extension ExportNotice: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}
