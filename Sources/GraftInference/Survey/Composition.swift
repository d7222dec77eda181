import Graft

/// The kind of the JSON values at a place, which decides how a model stores them.
enum Composition: Int {
  /// Only nulls.
  case null
  case boolean
  case number
  case string
  /// Objects with keys of their own.
  case object
  /// Objects whose keys are data.
  case dictionary
  case emptyObject
  /// Arrays of objects.
  case objects
  /// Arrays of strings, numbers or booleans.
  case scalars
  case emptyArray
  /// Arrays that are rows: each position holds something else.
  case row
  /// Arrays of arrays.
  case grid
  /// Values of several kinds.
  case mixed
  /// Objects or arrays whose content was not read.
  case unknown

  /// Finds the composition of a place.
  init(_ shape: Shape) { self = Self.of(shape) }

  private static func of(_ shape: Shape) -> Composition {
    switch shape.count - shape.nullCount {
    case 0: return .null
    // Objects have these identifiers elsewhere.
    case shape.mentionCount: return .object
    case shape.booleanCount: return .boolean
    case shape.numberCount: return .number
    case shape.stringCount: return .string
    case shape.stringCount + shape.numberCount where shape.isIdentifierOfOneKind: return .string
    case shape.arrayCount: return ofArrays(shape)
    case shape.objectCount + shape.mentionCount + shape.substituteCount:
      // An object with keys of its own beside those of the dictionary holds a dictionary.
      if shape.eachMember != nil { return shape.members.isEmpty ? .dictionary : .object }
      // A shape that was read only in part proves nothing.
      if shape.isTruncated { return .unknown }
      return shape.members.isEmpty ? .emptyObject : .object
    default: return .mixed
    }
  }

  private static func ofArrays(_ shape: Shape) -> Composition {
    if shape.rows != nil { return .row }
    guard let element = shape.element, element.count > 0 else {
      return shape.isTruncated ? .unknown : .emptyArray
    }
    // A null in an array of objects is skipped by an import, so that an export would lack it.
    switch of(element) {
    case .object where element.nullCount == 0: return .objects
    case .boolean, .number, .string: return .scalars
    case .objects, .scalars, .emptyArray, .grid, .row: return .grid
    case .null, .object, .mixed: return .mixed
    case .dictionary, .emptyObject, .unknown: return .grid
    }
  }

  /// Combines the compositions of two places of one property.
  func combined(with other: Composition) -> Composition {
    if self == other { return self }
    switch (self, other) {
    case (.null, let rest), (let rest, .null): return rest
    case (.emptyObject, .object), (.object, .emptyObject), (.unknown, .object), (.object, .unknown):
      return .object
    case (.emptyObject, .dictionary), (.dictionary, .emptyObject): return .dictionary
    case (.emptyArray, .objects), (.objects, .emptyArray), (.unknown, .objects),
      (.objects, .unknown):
      return .objects
    case (.emptyArray, .scalars), (.scalars, .emptyArray): return .scalars
    case (.emptyArray, .grid), (.grid, .emptyArray): return .grid
    default: return .mixed
    }
  }

  /// Whether an attribute holds such values.
  var isScalar: Bool { self == .boolean || self == .number || self == .string }
}
