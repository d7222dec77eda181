/// Decides when an import saves: after a number of root objects, a number of bytes or a time,
/// whichever comes first.
struct SaveSchedule {
  private let objectLimit: Int
  private let byteLimit: Int?
  private let timeLimit: Duration?
  private var lastOffset = 0
  private var lastTime = ContinuousClock.now
  /// After how many objects since the last save it is asked again whether one is due.
  private(set) var nextCheck: Int

  init(_ policy: ImportOptions.SavePolicy) {
    objectLimit = policy.objects ?? .max
    byteLimit = policy.bytes
    timeLimit = policy.time
    nextCheck = byteLimit == nil && timeLimit == nil ? objectLimit : 1
  }

  /// Whether a save is due.
  ///
  /// - Parameters:
  ///   - objectCount: The objects of roots since the last save.
  ///   - offset: The bytes that have been read.
  /// - Returns: Whether one is.
  mutating func isDue(objectCount: Int, offset: Int) -> Bool {
    if objectCount >= objectLimit { return true }
    if let byteLimit, offset - lastOffset >= byteLimit { return true }
    if let timeLimit, ContinuousClock.now - lastTime >= timeLimit { return true }
    nextCheck = objectCount + 1
    return false
  }

  /// Counts from here.
  mutating func start(offset: Int) {
    lastOffset = offset
    if byteLimit != nil || timeLimit != nil { nextCheck = 1 }
    if timeLimit != nil { lastTime = .now }
  }
}
