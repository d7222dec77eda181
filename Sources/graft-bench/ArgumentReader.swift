/// A wrong use of the command line.
struct UsageError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// The arguments of the command line, taken one by one.
struct ArgumentReader {
  private var rest: ArraySlice<String>

  init(_ arguments: some Sequence<String>) {
    rest = ArraySlice(Array(arguments))
  }

  mutating func next() -> String? {
    rest.popFirst()
  }

  mutating func value(after option: String) throws -> String {
    guard let value = rest.popFirst() else {
      throw UsageError("\(option) needs a value; graft-bench --help tells which")
    }
    return value
  }

  mutating func positiveNumber(after option: String) throws -> Int {
    let text = try value(after: option)
    guard let number = Int(text), number > 0 else {
      throw UsageError("\(option) needs a whole number above 0, found \"\(text)\"")
    }
    return number
  }
}
