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
  /// For how long a writer waits while another one writes, before it fails: a write at its beginning, an import when it
  /// saves.
  public var lockTimeout = Duration.seconds(10)
  /// The bytes of the file that each connection keeps in memory; an import has two connections.
  public var cacheSize = 8 << 20
  /// Whether a file is made where there is none.
  public var createsFile = true
  /// The name of a virtual file system of SQLite; nil for the machine's own.
  var fileSystem: String?

  /// Creates the default configuration.
  public init() {}
}
