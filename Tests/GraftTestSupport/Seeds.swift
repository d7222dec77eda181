import Foundation

/// The seeds that a law is tried with.
///
/// In a debug build each costs milliseconds, and there are dozens of laws. So a usual run has some
/// of them, and one with `GRAFT_ALL_SEEDS=1` all.
enum Seeds {
  static let areAllTried = ProcessInfo.processInfo.environment["GRAFT_ALL_SEEDS"] == "1"

  /// Returns a number of seeds, spread evenly from 1 to `all`; all of them if the environment asks
  /// for it.
  static func some(_ count: Int, of all: Int) -> [UInt64] {
    guard count < all, !areAllTried else { return (1...all).map(UInt64.init) }
    return (0..<count).map { UInt64(1 + $0 * all / count) }
  }
}
