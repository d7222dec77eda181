import Foundation
import Graft

/// Finds the type of an attribute from its values.
struct AttributeTyping {
  var type: AttributeType
  /// The date format; nil if the values are in any common form.
  var dateFormat: String?
  /// The difference that an export will make, or the reason why the values are kept as JSON.
  var note: String?
  /// The unit and the range of the numbers that are taken for dates; nil for other values.
  var times: String?

  /// - Parameters:
  ///   - property: The property and the statistics of its values.
  ///   - isIdentity: Whether they identify objects: then they are kept as they are spelled.
  init(_ property: PropertyDraft, isIdentity: Bool) {
    let scalars = property.scalars
    if let misfit = property.misfit {
      type = property.path == [.key] ? .string : .transformable
      note = property.path == [.key] ? nil : "\(misfit); kept as JSON"
      return
    }
    switch property.composition {
    case .null:
      type = .string
      note = "always null; taken for a string"
    case .boolean: type = .boolean
    case .number: self = Self.number(property, isIdentity: isIdentity)
    case .string where scalars.integerCount > 0:
      type = .string
      note = "strings and numbers; an export writes strings"
    case .string: self = isIdentity ? Self(.string) : Self.string(scalars)
    case .scalars:
      type = .transformable
    case .emptyArray:
      type = .transformable
      note = "always an empty array; kept as JSON"
    case .emptyObject:
      type = .transformable
      note = "always an empty object; kept as JSON"
    case .grid, .row:
      type = .transformable
      note = "arrays of arrays, which are no rows; kept as JSON"
    case .mixed:
      type = .transformable
      note = "\(Self.kinds(of: property.shape)); kept as JSON"
    case .dictionary:
      type = .transformable
      note = "a dictionary \(Self.contents(of: property.contents)); kept as JSON"
    case .objects:
      type = .transformable
      note = "lists whose objects are wrapped differently; kept as JSON"
    case .object:
      type = .transformable
      note = "objects that name no thing; kept as JSON"
    case .unknown:
      type = .transformable
      note = "not looked into, as there are too many places; kept as JSON"
    }
  }

  init(_ type: AttributeType, dateFormat: String? = nil, note: String? = nil) {
    self.type = type
    self.dateFormat = dateFormat
    self.note = note
  }

  /// The seconds since 1970 that are taken for times: the years 1985 to 2103.
  static let times: ClosedRange<Int64> = 500_000_000...4_200_000_000

  private static func number(_ property: PropertyDraft, isIdentity: Bool) -> Self {
    let scalars = property.scalars
    if scalars.largeCount > 0 { return Self(.decimal) }
    if scalars.fractionCount > 0 { return Self(.double) }
    if isIdentity { return Self(.integer64) }
    let range = scalars.minimum...max(scalars.minimum, scalars.maximum)
    guard tellsTime(property.key) else { return Self(.integer64) }
    return dates(range, in: "seconds", format: "unix", perSecond: 1)
      ?? dates(range, in: "milliseconds", format: "unix-ms", perSecond: 1000)
      ?? Self(.integer64)
  }

  /// Returns the type of numbers that may be times in a unit; nil where they are none.
  private static func dates(
    _ numbers: ClosedRange<Int64>, in unit: String, format: String, perSecond: Int64
  ) -> Self? {
    let seconds = numbers.lowerBound / perSecond...numbers.upperBound / perSecond
    guard times.contains(seconds) else { return nil }
    var typing = Self(.date, dateFormat: format)
    let days = [seconds.lowerBound, seconds.upperBound].map {
      Date(timeIntervalSince1970: Double($0)).formatted(.iso8601.year().month().day())
    }
    typing.times =
      "dates, in \(unit) since 1970: "
      + (days[0] == days[1] ? days[0] : "\(days[0]) to \(days[1])")
    return typing
  }

  private static func string(_ scalars: ScalarStatistics) -> Self {
    let formats = scalars.formats
    if formats.contains(.capitalUUID) { return Self(.uuid) }
    if formats.contains(.isoDate) { return Self(.date, dateFormat: "iso8601") }
    if let pattern = formats.datePattern { return Self(.date, dateFormat: pattern.text) }
    if formats.contains(.date) {
      return Self(.date, note: "dates that an export writes in one form, in UTC")
    }
    if formats.contains(.anyDate) {
      return Self(
        .string,
        note:
          "dates with more digits than milliseconds, which an export would cut off; kept as strings"
      )
    }
    if formats.contains(.address) { return Self(.uri) }
    return Self(.string)
  }

  /// The first or last words of keys that name a time.
  private static let wordsForTimes: Set<String> = [
    "time", "timestamp", "ts", "date", "dt", "at", "created", "updated", "modified", "start",
    "end",
    "begin", "expires", "expiry", "exp", "iat", "utc", "published", "epoch", "since", "until",
    "seen", "sunrise", "sunset", "ms", "starts", "ends", "due", "edited", "finished", "started",
    "stop", "day", "datetime", "expiration", "deadline", "opened", "closed", "last", "from", "to",
  ]

  /// Returns whether a key is the name of a time.
  private static func tellsTime(_ key: String) -> Bool {
    let words = Words(key).parts
    return words.last.map(wordsForTimes.contains) == true
      || words.first.map(wordsForTimes.contains) == true
  }

  /// Returns whether the elements of lists have the same kind as the single values at the same place.
  private static func isSameScalar(_ element: Shape, _ single: Shape) -> Bool {
    (element.stringCount > 0) == (single.stringCount > 0)
      && (element.numberCount > 0) == (single.numberCount > 0)
      && (element.booleanCount > 0) == (single.booleanCount > 0)
  }

  /// Describes the values of a dictionary, which are neither objects nor identifiers.
  private static func contents(of values: Shape?) -> String {
    switch values.map({ Composition($0) }) {
    case _ where values?.nullCount ?? 0 > 0: "with nulls"
    case .scalars where values?.element?.nullCount != 0: "of lists with nulls"
    case .scalars where values?.hasRepeatedElements == true:
      "of lists, some of which have a value twice"
    case .scalars: "of lists, whose values identify nothing"
    case .grid, .row: "of arrays of arrays"
    case .emptyObject, .emptyArray: "of values that are always empty"
    case .dictionary: "of dictionaries " + contents(of: values?.eachMember)
    default: "with values of several kinds"
    }
  }

  private static func kinds(of shape: Shape) -> String {
    let kinds = [
      (shape.objectCount, "objects"), (shape.arrayCount, "arrays"), (shape.stringCount, "strings"),
      (shape.numberCount, "numbers"), (shape.booleanCount, "booleans"),
    ].filter { $0.0 > 0 }.map(\.1)
    if kinds == ["arrays"] { return "arrays of several kinds of values" }
    if kinds.count == 2, kinds[0] == "arrays", let element = shape.element,
      Composition(element).isScalar, isSameScalar(element, shape)
    {
      return "\(kinds[1]), alone or in lists"
    }
    return AnnotationReader.enumeration(of: kinds, with: "and")
  }
}

extension ClosedRange {
  fileprivate func contains(_ other: ClosedRange) -> Bool {
    contains(other.lowerBound) && contains(other.upperBound)
  }
}
