/// The options for a file of SQLite.
public struct SQLiteConfiguration: Sendable {
  /// The moment when a save is safely on the disk.
  public enum Synchronous: String, Sendable, CaseIterable {
    /// At the end of each save: it outlives a loss of power.
    case full = "FULL"
    /// Some time after: it outlives the end of the process, but a loss of power may take the last saves.
    case normal = "NORMAL"
  }

  /// The moment when a save is safely on the disk.
  public var synchronous = Synchronous.full
  /// The time that a writer waits for another one before it fails.
  ///
  /// A write waits at its beginning, and an import when it saves.
  public var lockTimeout = Duration.seconds(10)
  /// The number of bytes of the file that each connection caches; an import has two connections.
  public var cacheSize = 8 << 20
  /// Whether to create a file if there is none.
  public var createsFile = true
  /// The name of a virtual file system of SQLite; nil for SQLite's default.
  var fileSystem: String?

  /// Creates the default configuration.
  public init() {}
}
