/// Ends the import: thrown where a document cannot be imported, and caught by the callback of the
/// event, which stops the parser.
///
/// An error as a class, so that a function that may throw it returns one more pointer, and not the
/// whole error.
final class ImportStop: Error {
  /// Why the import ends.
  let error: ImportError

  init(_ error: ImportError) {
    self.error = error
  }
}
