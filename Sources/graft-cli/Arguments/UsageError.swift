/// A wrong use of the command line: what is wrong, and what would be right.
struct UsageError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
