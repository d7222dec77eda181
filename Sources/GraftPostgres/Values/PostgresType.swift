import Graft
import GraftDatabase

/// A type of a column, by its number in Postgres.
///
/// | attribute | column | what is kept |
/// |---|---|---|
/// | Integer 16, 32, 64 | `smallint`, `integer`, `bigint` | everything |
/// | Decimal | `numeric` | every digit |
/// | Double, Float | `double precision`, `real` | every bit; NaN and the infinities too |
/// | String, URI | `text` | everything but U+0000, which is an error |
/// | Boolean | `boolean` | everything |
/// | Date | `timestamptz` | to the microsecond, from 4713 BC to 294276; others are an error |
/// | Binary | `bytea` | everything |
/// | UUID | `uuid` | everything |
/// | Transformable | `json` | the text as it is |
///
/// A `json` column keeps the text that was imported, with the order of its keys, keys that occur twice, `1.0` and
/// `1e2`, and what `jsonb` refuses: the escape `\u0000`, and numbers beyond `numeric`. So an object that is read
/// back equals the one that was imported. Queries cast it, and an index can be made on the cast:
/// `CREATE INDEX ON "Tweet" USING gin ((extra::jsonb))`.
///
/// A `Date` is a `Double` of seconds, whose precision in 2022 is a tenth of a microsecond. What was
/// read from text with at most six digits of a second's fraction comes back as the same `Double`.
enum PostgresType: UInt32, Sendable, CustomStringConvertible {
  case boolean = 16
  case bytea = 17
  case bigint = 20
  case smallint = 21
  case integer = 23
  case text = 25
  case json = 114
  case real = 700
  case double = 701
  case timestamptz = 1184
  case numeric = 1700
  case uuid = 2950

  /// Creates the column's type for an attribute of a type.
  init(_ type: AttributeType) {
    self =
      switch type {
      case .integer16: .smallint
      case .integer32: .integer
      case .integer64: .bigint
      case .decimal: .numeric
      case .double: .double
      case .float: .real
      case .string, .uri: .text
      case .boolean: .boolean
      case .date: .timestamptz
      case .binary: .bytea
      case .uuid: .uuid
      case .transformable: .json
      }
  }

  /// Creates the type of a result's column from its number; nil for a type that is not read here.
  init?(ofResult number: UInt32) {
    switch number {
    // name, unknown, character and character varying are sent as text is.
    case 19, 705, 1042, 1043: self = .text
    default: self.init(rawValue: number)
    }
  }

  /// The type's name in SQL.
  var description: String {
    switch self {
    case .boolean: "boolean"
    case .bytea: "bytea"
    case .bigint: "bigint"
    case .smallint: "smallint"
    case .integer: "integer"
    case .text: "text"
    case .json: "json"
    case .real: "real"
    case .double: "double precision"
    case .timestamptz: "timestamptz"
    case .numeric: "numeric"
    case .uuid: "uuid"
    }
  }
}
