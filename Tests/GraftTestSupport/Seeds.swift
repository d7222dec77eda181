import Foundation

/// The seeds that a law is tried with.
///
/// In a debug build each costs milliseconds, and there are dozens of laws. So a usual run has some of them, and one with
/// `GRAFT_ALL_SEEDS=1` all.
enum Seeds {
  static let areAllTried = ProcessInfo.processInfo.environment["GRAFT_ALL_SEEDS"] == "1"

  /// So many of the seeds from 1 to a number, spread over them; all where they are asked for.
  static func some(_ count: Int, of all: Int) -> [UInt64] {
    guard count < all, !areAllTried else { return (1...all).map(UInt64.init) }
    return (0..<count).map { UInt64(1 + $0 * all / count) }
  }
}
