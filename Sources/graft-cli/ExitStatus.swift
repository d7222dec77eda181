/// The exit statuses of the command; scripts depend on the numbers.
enum ExitStatus: Int32 {
  case success = 0
  /// Imported, with issues skipped.
  case issues = 1
  /// The command line is wrong.
  case usage = 2
  /// The data or the model is bad.
  case invalid = 3
  /// Something could not be read or written.
  case inputOutput = 4
}

extension ExitStatus: Comparable {
  static func < (first: ExitStatus, second: ExitStatus) -> Bool {
    first.rawValue < second.rawValue
  }
}
