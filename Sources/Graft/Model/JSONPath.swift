/// A path to values inside a JSON document: names, positions and wildcards, a subset of RFC 9535.
///
/// `a.b` leads through members, `a[0]` to an element, `a[*]` to each element, `a.*` to each member;
/// `['a.b']` quotes a name. Three names of Graft's own serve inside an element and stand last:
/// `@key`, `@index` and `@value`.
public struct JSONPath: Sendable, Hashable {
  /// One step of a path.
  public enum Step: Sendable, Hashable {
    /// The member of an object that has this name.
    case member(String)
    /// The element of an array at this position, counted from 0.
    case element(Int)
    /// Each element of an array.
    case eachElement
    /// Each member of an object.
    case eachMember
    /// The name under which the present value stands in its object.
    case key
    /// The position at which the present value stands in its array.
    case index
    /// The present value itself, where it is a scalar.
    case value
  }

  /// The steps from the value at hand to the values meant.
  public var steps: [Step]

  /// Creates a path from its steps.
  ///
  /// - Parameter steps: The steps; none means the value at hand.
  public init(_ steps: [Step] = []) {
    self.steps = steps
  }

  /// Creates a path from its text.
  ///
  /// A leading `$` is optional, and alone means the value at hand. A name may hold any character
  /// but `.`, `[` and `]`; a name that does, or that would mean something else (`*`, `@key`), is
  /// quoted: `['first.name']`.
  ///
  /// - Parameter text: The path, for example `entities.hashtags[*].text`.
  /// - Throws: ``JSONPathError`` with the position at which the text stops being a path.
  /// - Complexity: O(*n*) in the length of the text.
  public init(_ text: String) throws(JSONPathError) {
    var parser = JSONPathParser(text)
    steps = try parser.parse()
  }
}
