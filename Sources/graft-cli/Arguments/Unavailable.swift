/// What the command line promises and the library does not offer yet.
///
/// A setting that would be ignored is refused; this is the one place that does it.
enum Unavailable {
  /// Options and their values; an option without a value is refused whole.
  private static let settings = [
    "--mode insert-only", "--mode update-only", "--on-error skip-value", "--on-error skip-object",
    "--delete-missing", "--output json",
  ]

  /// Makes sure that the library can do what an option asks for.
  ///
  /// - Throws: ``UsageError`` if it cannot.
  static func check(_ option: String, _ value: String? = nil) throws(UsageError) {
    let setting = value.map { "\(option) \($0)" } ?? option
    if settings.contains(setting) { throw UsageError("\(setting) is not available yet") }
  }
}
