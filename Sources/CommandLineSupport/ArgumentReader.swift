import Graft

/// The error of a wrong command line: the mistake and the remedy.
package struct UsageError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}

/// Reads the arguments of a command one by one.
///
/// Options are `--name value` or `--name=value`; `--` ends them, and what begins with no hyphen, or
/// is one alone, is an operand.
package struct ArgumentReader {
  package enum Argument {
    case option(String)
    case operand(String)
  }

  private let command: String
  private let options: [String]
  private var rest: ArraySlice<String>
  /// The value in `--name=value`, until it is taken.
  private var attached: (option: String, value: String)?
  private var takesOptions = true

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - arguments: The arguments after the command.
  ///   - command: The command as the user calls it, for messages.
  ///   - options: The options that the command has, with their hyphens.
  package init(_ arguments: [String], command: String, options: [String]) {
    rest = arguments[...]
    self.command = command
    self.options = options
  }

  /// Returns the next argument; nil after the last.
  ///
  /// - Throws: ``UsageError`` for an option that the command does not have, or that was given a
  ///   value and takes none.
  package mutating func next() throws(UsageError) -> Argument? {
    if let attached {
      throw UsageError("\(attached.option) takes no value, found \"\(attached.value)\"")
    }
    guard let argument = rest.popFirst() else { return nil }
    if takesOptions, argument == "--" {
      takesOptions = false
      return try next()
    }
    guard takesOptions, argument.hasPrefix("-"), argument != "-" else { return .operand(argument) }
    var name = argument
    if argument.hasPrefix("--"), let split = argument.firstIndex(of: "=") {
      name = String(argument[..<split])
      attached = (name, String(argument[argument.index(after: split)...]))
    }
    guard options.contains(name) else {
      let nearest = nearestName(to: name, in: options)
      throw UsageError(
        "unknown option \(name)"
          + (nearest.map { ", did you mean \($0)?" } ?? "; \(command) --help lists the options"))
    }
    return .option(name)
  }

  /// Returns the value of an option.
  package mutating func value(of option: String, _ meaning: String) throws(UsageError) -> String {
    if let attached {
      self.attached = nil
      return attached.value
    }
    guard let value = rest.popFirst() else {
      throw UsageError("\(option) needs a value: \(option) \(meaning)")
    }
    return value
  }

  /// Returns the value of an option that has a choice of values.
  ///
  /// - Throws: ``UsageError`` if there is none, or if it is not among the choices.
  package mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
    of option: String
  ) throws(UsageError) -> Choice {
    let names = Choice.allCases.map(\.rawValue)
    let name = try value(of: option, names.joined(separator: "|"))
    guard let choice = Choice(rawValue: name) else { throw Self.unknown(name, of: option, names) }
    return choice
  }

  /// Returns the error for a name that is not among an option's values.
  package static func unknown(_ name: String, of option: String, _ names: [String]) -> UsageError {
    let nearest = nearestName(to: name, in: names).map { ", did you mean \($0)?" } ?? ""
    return UsageError(
      "\(option) takes \(names.joined(separator: ", ")); found \"\(name)\"\(nearest)")
  }

  /// Returns the value of an option that takes a whole number.
  package mutating func number(
    of option: String, _ meaning: String = "N", called name: String = "a number",
    atLeast least: Int = 0
  ) throws(UsageError) -> Int {
    let text = try value(of: option, meaning)
    guard let number = Int(text), number >= least else {
      throw UsageError("\(option) takes \(name), \(least) or more; found \"\(text)\"")
    }
    return number
  }

  /// Returns the value of an option that takes a number of bytes, such as `65536` or `64KB`.
  package mutating func byteCount(of option: String) throws(UsageError) -> Int {
    let text = try value(of: option, "BYTES")
    guard let count = Amount.byteCount(text), count >= 1 else {
      throw UsageError(
        "\(option) takes a number of bytes (65536, 64KB, 1MiB), 1 or more; found \"\(text)\"")
    }
    return count
  }
}
