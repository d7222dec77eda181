extension JSONMapping {
  /// A path in a mapping's literal, a position in an array, or `-` for what is not read.
  ///
  /// A text that is no path is told when the mapping is used, since a literal cannot fail.
  public struct Place: Sendable, Hashable {
    let path: Result<JSONPath, JSONPathError>
    /// Whether what stands there is not read.
    var isNowhere = false
  }

  /// Where a value goes that stands in JSON: to a property, to several, or to none itself, its
  /// parts being what is wanted.
  public struct Target: Sendable, Hashable {
    var rules: [MappingRule]

    /// Gives the value to a property.
    ///
    /// - Parameters:
    ///   - name: The name of an attribute or relationship.
    ///   - format: How the attribute's dates are written: `auto`, `iso8601`, `unix`, `unix-ms` or a
    ///     Unicode date pattern; nil keeps the model's.
    ///   - transformer: What makes the attribute's value of what stands in JSON; nil keeps the
    ///     model's.
    /// - Returns: A target for use in a mapping's literal.
    public static func property(
      _ name: String, format: String? = nil, transformer: AttributeTransformer? = nil
    ) -> Target {
      let rule = MappingRule(
        path: .success(JSONPath()), property: name, format: format, transformer: transformer)
      return Target(rules: [rule])
    }

    /// The same properties, read at a place or kept out.
    func placed(at place: Place) -> Target {
      guard place.isNowhere else { return prefixed(by: place.path) }
      var target = self
      for index in target.rules.indices { target.rules[index].isKeptOut = true }
      return target
    }

    /// The same properties, read below a path.
    func prefixed(by path: Result<JSONPath, JSONPathError>) -> Target {
      Target(rules: rules.map { $0.prefixed(by: path) })
    }
  }
}

extension JSONMapping: ExpressibleByDictionaryLiteral {
  /// Creates a mapping from the paths of each entity.
  ///
  /// - Parameter elements: Names of entities, and for each where its properties stand.
  public init(dictionaryLiteral elements: (String, Target)...) {
    for (entity, target) in elements { add(target, of: entity) }
  }
}

extension JSONMapping.Target: ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// Gives the value to a property.
  ///
  /// - Parameter name: The name of an attribute or relationship.
  public init(stringLiteral name: String) {
    self = .property(name)
  }

  /// Gives the value to all of several targets.
  ///
  /// - Parameter targets: The targets.
  public init(arrayLiteral targets: JSONMapping.Target...) {
    self.init(rules: targets.flatMap(\.rules))
  }

  /// Gives parts of the value, an object or an array, to targets of their own.
  ///
  /// - Parameter elements: Paths from the value, and for each where it goes.
  public init(dictionaryLiteral elements: (JSONMapping.Place, JSONMapping.Target)...) {
    self.init(rules: elements.flatMap { key, target in target.placed(at: key).rules })
  }
}

extension JSONMapping.Place: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  /// Creates a key from a path's text.
  ///
  /// - Parameter text: The path; a name that holds a dot is quoted, `['first.name']`. `-` stands
  ///   for no place, and a key of that name is written `['-']`.
  public init(stringLiteral text: String) {
    guard text != "-" else {
      self.init(path: .success(JSONPath()), isNowhere: true)
      return
    }
    self.init(path: Result { () throws(JSONPathError) in try JSONPath(text) })
  }

  /// Creates a key of an array's element.
  ///
  /// - Parameter position: The element's position, from 0.
  public init(integerLiteral position: Int) {
    let text = "[\(position)]"
    path = Result { () throws(JSONPathError) in try JSONPath(text) }
  }
}
