/// How a scalar's text becomes a value of a column.
enum Conversion: UInt8 {
  case integer16
  case integer32
  case integer64
  case decimal
  case double
  case float
  case string
  case boolean
  case automaticDate
  case isoDate
  case unixDate
  case unixMillisecondsDate
  case patternDate
  case binary
  case uuid
  case uri
  case json
  /// What `CustomConversion` says.
  case custom

  init(_ attribute: AttributeSchema) {
    switch attribute.type {
    case .integer16: self = .integer16
    case .integer32: self = .integer32
    case .integer64: self = .integer64
    case .decimal: self = .decimal
    case .double: self = .double
    case .float: self = .float
    case .string: self = .string
    case .boolean: self = .boolean
    case .binary: self = .binary
    case .uuid: self = .uuid
    case .uri: self = .uri
    case .transformable: self = .json
    case .date:
      switch attribute.dateFormat {
      case .automatic: self = .automaticDate
      case .iso8601: self = .isoDate
      case .unix: self = .unixDate
      case .unixMilliseconds: self = .unixMillisecondsDate
      case .pattern: self = .patternDate
      }
    }
  }
}

/// A property as an import sees it: everything that is not needed for every value.
struct PropertyPlan {
  /// The entity that reads the property; -1 for a root.
  var entity: Int
  var entityName: String
  /// The property's name, or the root's path.
  var name: String
  /// What belongs here, in words: `a date ("yyyy-MM-dd")`, `an array of User`.
  var expectation: String
  /// What a relationship's bare identifier looks like, in words.
  var identityExpectation = ""
  /// The attribute; for a relationship, the one that names its objects.
  var attribute: Int
  /// Whether the attribute that names a relationship's objects is their identity.
  var isIdentity = true
  /// The destination of a relationship or root.
  var destination: Int
  var isOptional: Bool
  var hasDefault: Bool
  var onNull: NullPolicy
  var pattern: DatePattern?
  /// What is to be done with values besides converting them.
  var custom: CustomConversion?
  /// What a bare identifier does that names no object yet.
  var reference = ReferencePolicy.stub
}

extension NullPolicy {
  /// What `null` does to one property.
  enum Action: UInt8 {
    case clear
    case keep
    case `default`
    case error
  }

  /// What the policy does to one property.
  func action(isOptional: Bool, hasDefault: Bool) -> Action {
    switch self {
    case .keep: .keep
    case .error: .error
    // The default of a required attribute that has none is no value, and no value is an error.
    case .default: isOptional || hasDefault ? .default : .error
    case .clear: isOptional ? .clear : hasDefault ? .default : .error
    }
  }
}
