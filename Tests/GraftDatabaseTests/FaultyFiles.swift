import CFaultyFiles
import Foundation

@testable import GraftDatabase
@testable import GraftSQLite
@testable import GraftTestSupport

/// A file system for databases that fails at a chosen call.
final class FaultyFiles {
  let name = UUID().uuidString
  private let files: OpaquePointer

  /// Makes a file system whose calls are counted from 1.
  init(_ mode: faulty_files_mode, call: Int = 0) {
    files = faulty_files_make(name, mode, call)
  }

  // Takes back what a loss of power takes; all files must be closed.
  deinit { faulty_files_end(files) }

  var callCount: Int { faulty_files_count(files) }
  var openCount: Int { faulty_files_open_count(files) }

  var configuration: SQLiteConfiguration {
    var configuration = SQLiteConfiguration()
    configuration.fileSystem = name
    return configuration
  }
}
