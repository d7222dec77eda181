extension ImportOptions {
  /// The moments at which an import saves: at its end, or in steps before.
  ///
  /// ```swift
  /// options.savePolicy = .every(objects: 10_000)                                // objects of the roots
  /// options.savePolicy = .every(objects: 10_000, bytes: 64 << 20, time: .seconds(30))  // whichever comes first
  /// options.savePolicy = .atEnd
  /// ```
  ///
  /// The default policy sets no limits. It saves at the end into a ``GraphStore``. Into a
  /// ``GraftDatabase/GraphDatabase`` it saves after 2,500 objects, and then after twice as many each
  /// time, up to 20,000 in SQLite and 5,000 on a server, or after 20,000 each time on a cluster. A
  /// save comes at the end of an object of a root.
  public struct SavePolicy: Sendable, Hashable {
    /// The number of root objects after which an import saves, at least 1; nil for no such limit.
    ///
    /// An import into a database that saves at its end writes batches of this number of objects.
    public var objects: Int?
    /// The number of root objects before the first save, which doubles with each save up to ``objects``; nil for the
    /// same number each time.
    package var firstObjects: Int?
    /// The number of bytes after which an import saves, at least 1; nil for no such limit.
    public var bytes: Int?
    /// The time after which an import saves; nil for no such limit.
    public var time: Duration?
    /// Whether an import is one transaction, despite the other limits.
    ///
    /// An import into a database still writes in batches, so that its objects do not stay in
    /// memory. They become visible and durable at the end.
    public var isAtEnd = false

    /// Creates the default policy, without limits.
    public init() {}

    /// Saves after a number of objects, a number of bytes or a time, whichever comes first.
    ///
    /// - Parameters:
    ///   - objects: The objects of the roots, at least 1.
    ///   - bytes: The bytes of the document, at least 1.
    ///   - time: The time since the last save.
    /// - Returns: The policy.
    public static func every(
      objects: Int? = nil, bytes: Int? = nil, time: Duration? = nil
    ) -> SavePolicy {
      var policy = SavePolicy()
      policy.objects = objects
      policy.bytes = bytes
      policy.time = time
      return policy
    }

    /// Saves only at the end, as one transaction.
    public static let atEnd: SavePolicy = {
      var policy = SavePolicy()
      policy.isAtEnd = true
      return policy
    }()
  }
}

/// Decides when an import saves: after a number of root objects, a number of bytes or a time,
/// whichever comes first.
struct SaveSchedule {
  private var objectLimit: Int
  private let lastObjectLimit: Int
  private let byteLimit: Int?
  private let timeLimit: Duration?
  private var lastOffset = 0
  private var lastTime = ContinuousClock.now
  /// The number of root objects since the last save at which ``isDue(objectCount:offset:)`` must be called again.
  private(set) var nextCheck: Int

  init(_ policy: ImportOptions.SavePolicy) {
    lastObjectLimit = policy.objects ?? .max
    objectLimit = min(policy.firstObjects ?? lastObjectLimit, lastObjectLimit)
    byteLimit = policy.bytes
    timeLimit = policy.time
    nextCheck = byteLimit == nil && timeLimit == nil ? objectLimit : 1
  }

  /// Decides whether a save is due.
  mutating func isDue(objectCount: Int, offset: Int) -> Bool {
    if objectCount >= objectLimit { return true }
    if let byteLimit, offset - lastOffset >= byteLimit { return true }
    if let timeLimit, ContinuousClock.now - lastTime >= timeLimit { return true }
    nextCheck = objectCount + 1
    return false
  }

  /// Begins to count anew, after a save.
  mutating func start(offset: Int) {
    lastOffset = offset
    objectLimit = objectLimit > lastObjectLimit / 2 ? lastObjectLimit : objectLimit * 2
    nextCheck = byteLimit == nil && timeLimit == nil ? objectLimit : 1
    if timeLimit != nil { lastTime = .now }
  }
}
