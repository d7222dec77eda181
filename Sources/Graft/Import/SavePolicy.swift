extension ImportOptions {
  /// When an import saves what it has read: at its end, or before that in steps.
  ///
  /// ```swift
  /// options.savePolicy = .every(10_000)                                // objects of the roots
  /// options.savePolicy = .every(10_000, bytes: 64 << 20, time: .seconds(30))  // whichever comes first
  /// options.savePolicy = .atEnd
  /// ```
  ///
  /// A policy that says nothing, which is the default, saves at the end into a ``GraphStore``, and after every
  /// 10,000 objects into a ``GraftDatabase/GraphDatabase``. A save comes at the end of an object of a root.
  public struct SavePolicy: Sendable, Hashable {
    /// The objects of the roots after which an import saves, at least 1; nil for no such limit.
    ///
    /// An import into a database writes a batch of as many objects where it is to save at its end.
    public var objects: Int?
    /// The bytes of the document after which an import saves, at least 1; nil for no such limit.
    public var bytes: Int?
    /// The time after which an import saves; nil for no such limit.
    public var time: Duration?
    /// Whether an import is one transaction, whatever the other limits say.
    ///
    /// An import into a database still writes in batches, so that what was read does not stay in memory; it becomes
    /// visible, and lasts, at the end.
    public var isAtEnd = false

    /// Creates the policy that says nothing.
    public init() {}

    /// Saves after so many objects, bytes or so much time, whichever comes first.
    ///
    /// - Parameters:
    ///   - objects: The objects of the roots, at least 1.
    ///   - bytes: The bytes of the document, at least 1.
    ///   - time: The time since the last save.
    /// - Returns: The policy.
    public static func every(
      _ objects: Int? = nil, bytes: Int? = nil, time: Duration? = nil
    ) -> SavePolicy {
      var policy = SavePolicy()
      policy.objects = objects
      policy.bytes = bytes
      policy.time = time
      return policy
    }

    /// Saves at the end alone, as one transaction.
    public static let atEnd: SavePolicy = {
      var policy = SavePolicy()
      policy.isAtEnd = true
      return policy
    }()
  }
}
