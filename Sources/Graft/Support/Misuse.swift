// Not `precondition`, whose message is printed in debug builds only. `fatalError` prints its
// message in every build.

/// Stops the program at a mistake of the code that calls Graft, and writes the mistake and its
/// remedy to standard error.
///
/// For mistakes of the program only: faults of a document, a model file or a server are thrown.
///
/// - Parameters:
///   - message: The expectation, the value found, and the remedy.
///   - file: The file that found the mistake.
///   - line: The line in it.
@usableFromInline @inline(never)
package func misuse(
  _ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) -> Never {
  fatalError(message(), file: file, line: line)
}
