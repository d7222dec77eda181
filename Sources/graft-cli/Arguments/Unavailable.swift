/// What the command line promises and the library does not offer yet.
///
/// A setting that would be ignored is refused; this is the one place that does it.
enum Unavailable {
  /// Options with a value.
  private static let settings = ["--output json"]

  /// Makes sure that the library can do what an option asks for.
  ///
  /// - Throws: ``UsageError`` if it cannot.
  static func check(_ option: String, _ value: String) throws(UsageError) {
    if settings.contains("\(option) \(value)") {
      throw UsageError("\(option) \(value) is not available yet")
    }
  }
}
