public import Foundation

/// The paths of properties in JSON, given to an import instead of in the model.
///
/// ```swift
/// var options = ImportOptions()
/// options.mapping = [
///   "Tweet": [
///     "id_str": "id",
///     "created_at": .property("postedAt", format: "EEE MMM dd HH:mm:ss Z yyyy"),
///     "user": ["name": "authorName"],
///     "coordinates": [0: "longitude", 1: "latitude"],
///   ]
/// ]
/// ```
///
/// Keys are paths (see ``JSONPath``), and numbers are positions in an array. A nested mapping leads
/// further down in the JSON, and its properties belong to the same object: in the example `authorName` is
/// an attribute of the tweet, read from `user.name`.
///
/// A property with several paths is read from the first that is present. A property that the mapping
/// names is read from the mapping's paths only, and all others from where the model says. The properties
/// under the key `-` are not read at all. A mapping holds for the named entity and for those below; where
/// several of these name a property, the nearest entity counts.
///
/// Names are checked when an import begins, or before by ``validate(against:)``.
public struct JSONMapping: Sendable, Hashable {
  var rules: [MappingRule] = []

  /// Creates a mapping that changes nothing.
  public init() {}

  /// Adds a path from which a property is read; if it has one already, as a fallback.
  ///
  /// - Parameters:
  ///   - path: The path from the entity's object to the value, such as `user.name` or
  ///     `coordinates[0]`.
  ///   - property: The name of an attribute or relationship.
  ///   - entity: The name of the entity.
  ///   - format: The form of the attribute's dates: `auto`, `iso8601`, `unix`, `unix-ms` or a
  ///     Unicode date pattern; nil keeps the model's.
  ///   - transformer: Makes the attribute's value of the JSON value; nil keeps the model's.
  /// - Throws: ``JSONPathError`` if the text is no path.
  public mutating func map(
    _ path: String, to property: String, of entity: String, format: String? = nil,
    transformer: AttributeTransformer? = nil
  ) throws(JSONPathError) {
    let target = Target.property(property, format: format, transformer: transformer)
    add(target.prefixed(by: .success(try JSONPath(path))), of: entity)
  }

  /// Excludes a property from the import, even if the model gives it a path.
  ///
  /// - Parameters:
  ///   - property: The name of an attribute or relationship.
  ///   - entity: The name of the entity.
  public mutating func keepOut(_ property: String, of entity: String) {
    add(Target.property(property).placed(at: "-"), of: entity)
  }

  /// Checks that a model has all names of the mapping.
  ///
  /// - Parameter model: The model of the store to import into.
  /// - Throws: ``ModelError`` with all errors found.
  /// - Complexity: O(*n*) in the number of the mapping's places and the model's properties.
  public func validate(against model: GraphModel) throws(ModelError) {
    _ = try model.schema.applying(self)
  }

  mutating func add(_ target: Target, of entity: String) {
    for var rule in target.rules {
      rule.entity = entity
      rules.append(rule)
    }
  }
}

// MARK: - Literals

extension JSONMapping {
  /// The left side of an entry: a key or path, an index, or `-` for properties that are not read.
  ///
  /// A string that is no path is an error when the mapping is used, since a literal cannot fail.
  public struct Place: Sendable, Hashable {
    let path: Result<JSONPath, JSONPathError>
    /// Whether the properties there are not read.
    var isNowhere = false
  }

  /// The right side of an entry: one property, several, or a nested mapping for parts of the value.
  public struct Target: Sendable, Hashable {
    var rules: [MappingRule]

    /// Reads the value into a property.
    ///
    /// - Parameters:
    ///   - name: The name of an attribute or relationship.
    ///   - format: The form of the attribute's dates: `auto`, `iso8601`, `unix`, `unix-ms` or a
    ///     Unicode date pattern; nil keeps the model's.
    ///   - transformer: Makes the attribute's value of the JSON value; nil keeps the model's.
    /// - Returns: A target for use in a mapping's literal.
    public static func property(
      _ name: String, format: String? = nil, transformer: AttributeTransformer? = nil
    ) -> Target {
      let rule = MappingRule(
        path: .success(JSONPath()), property: name, format: format, transformer: transformer)
      return Target(rules: [rule])
    }

    /// Returns the same properties, read at a place or not at all.
    func placed(at place: Place) -> Target {
      guard place.isNowhere else { return prefixed(by: place.path) }
      var target = self
      for index in target.rules.indices { target.rules[index].isKeptOut = true }
      return target
    }

    /// Returns the same properties, read below a path.
    func prefixed(by path: Result<JSONPath, JSONPathError>) -> Target {
      Target(rules: rules.map { $0.prefixed(by: path) })
    }
  }
}

extension JSONMapping: ExpressibleByDictionaryLiteral {
  /// Creates a mapping from the paths of each entity.
  ///
  /// - Parameter elements: Names of entities, and the paths of each.
  public init(dictionaryLiteral elements: (String, Target)...) {
    for (entity, target) in elements { add(target, of: entity) }
  }
}

extension JSONMapping.Target: ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// Reads the value into a property.
  ///
  /// - Parameter name: The name of an attribute or relationship.
  public init(stringLiteral name: String) {
    self = .property(name)
  }

  /// Reads the value into each of several targets.
  ///
  /// - Parameter targets: The targets.
  public init(arrayLiteral targets: JSONMapping.Target...) {
    self.init(rules: targets.flatMap(\.rules))
  }

  /// Reads parts of the value, an object or an array, into targets of their own.
  ///
  /// - Parameter elements: Paths from the value, and the target of each.
  public init(dictionaryLiteral elements: (JSONMapping.Place, JSONMapping.Target)...) {
    self.init(rules: elements.flatMap { key, target in target.placed(at: key).rules })
  }
}

extension JSONMapping.Place: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  /// Creates a key from a path's text.
  ///
  /// - Parameter text: The path; a name with a dot is quoted, `['first.name']`. `-` means that the
  ///   property is not read; a key of that name is written `['-']`.
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

// MARK: - Files

extension JSONMapping {
  /// Reads a mapping from a file.
  ///
  /// ```json
  /// {
  ///   "Tweet": {
  ///     "id_str": "id",
  ///     "created_at": { "property": "postedAt", "format": "EEE MMM dd HH:mm:ss Z yyyy" },
  ///     "user": { "name": "authorName" },
  ///     "coordinates": { "[0]": "longitude", "[1]": "latitude" }
  ///   }
  /// }
  /// ```
  ///
  /// The value of each entity's name is an object of paths. The value of a path is one of these, or an
  /// array of them:
  ///
  /// - the name of a property;
  /// - an object with the key `property`, and optionally `format` and `transformer`;
  /// - an object of paths that lead further down.
  ///
  /// A JSON key that is itself named `property` is written `['property']`. The value of `-` is the
  /// name of a property that is not read, or an array of such names. If a property has several
  /// paths, the first one in the file that is present counts.
  ///
  /// - Parameters:
  ///   - url: The file, of at most 4 MiB.
  ///   - transformers: Transformers that the file may name beside the ready-made ones.
  /// - Throws: ``ModelError`` with all errors found, or an error of Foundation if the file cannot
  ///   be read.
  /// - Complexity: O(*n*) in the size of the file.
  public init(contentsOf url: URL, transformers: [String: AttributeTransformer] = [:]) throws {
    let limit = LocatedJSON.sizeLimit
    let handle = try FileHandle(forReadingFrom: url)
    defer { try? handle.close() }
    let data = try handle.read(upToCount: limit + 1) ?? Data()
    guard data.count <= limit else {
      throw ModelError("expected a mapping of at most \(limit) bytes", file: url.path)
    }
    try self.init(data, file: url.path, transformers: transformers)
  }

  /// Reads a mapping from JSON in memory.
  ///
  /// - Parameters:
  ///   - json: The text, as ``init(contentsOf:transformers:)`` documents it.
  ///   - transformers: Transformers that the text may name beside the ready-made ones.
  /// - Throws: ``ModelError`` with all errors found.
  /// - Complexity: O(*n*) in the size of the text.
  public init(
    json: Data, transformers: [String: AttributeTransformer] = [:]
  ) throws(ModelError) {
    try self.init(json, file: "mapping", transformers: transformers)
  }

  private init(
    _ data: Data, file: String, transformers: [String: AttributeTransformer]
  ) throws(ModelError) {
    var reader = MappingReader(file: file, transformers: transformers)
    self = try reader.read(data)
  }
}

// MARK: - Rules

/// One line of a mapping: the value at a path is read into a property.
struct MappingRule: Sendable {
  var entity = ""
  /// The path from an object of the entity to the value, or the reason why it is no path.
  var path: Result<JSONPath, JSONPathError>
  var property: String
  /// Whether the property is not read, even at a path of the model.
  var isKeptOut = false
  /// The form of dates.
  var format: String?
  var transformer: AttributeTransformer?
  /// The name that a file gives the transformer.
  var transformerName: String?
  /// The place of the rule in the mapping's file.
  var location: ModelIssue.Location?

  /// Returns the same rule for a value below a path; the joined path may be as long as one written in one piece.
  func prefixed(by prefix: Result<JSONPath, JSONPathError>) -> MappingRule {
    var rule = self
    rule.path = prefix.flatMap { prefix in
      path.flatMap { path in Self.joined(prefix, path) }
    }
    return rule
  }

  private static func joined(
    _ prefix: JSONPath, _ path: JSONPath
  ) -> Result<JSONPath, JSONPathError> {
    func fault(
      _ message: String, kind: JSONPathError.Kind = .syntax
    ) -> Result<JSONPath, JSONPathError> {
      let text = prefix.description
      return .failure(
        JSONPathError(kind: kind, text: text, position: text.count + 1, message: message))
    }
    if path.steps.isEmpty { return .success(prefix) }
    if path.leadsOutside { return .success(path) }
    if let last = prefix.steps.last, [.key, .index, .value].contains(last) {
      return fault("expected the end, since @key, @index and @value end a path, found \"\(path)\"")
    }
    let limit = JSONPathParser.stepLimit
    guard prefix.steps.count + path.steps.count <= limit else {
      return fault("expected at most \(limit) steps together with what is nested", kind: .limit)
    }
    return .success(JSONPath(prefix.steps + path.steps))
  }
}

extension MappingRule: Hashable {
  /// Rules are equal wherever in a file they are.
  static func == (first: MappingRule, second: MappingRule) -> Bool {
    first.entity == second.entity && first.path == second.path
      && first.isKeptOut == second.isKeptOut && first.property == second.property
      && first.format == second.format
      && first.transformer == second.transformer
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(entity)
    hasher.combine(path)
    hasher.combine(property)
    hasher.combine(format)
    hasher.combine(transformer)
  }
}
