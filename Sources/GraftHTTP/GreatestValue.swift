import Foundation
public import Graft
import GraftExport

/// A parameter of an address, with the greatest value of an attribute.
///
/// ```swift
/// options.since = [.greatest(\Issue.updatedAt, as: "since")]      // …/issues?since=2026-11-23T12:00:00Z
/// ```
///
/// A date has the form that the attribute's dates have in JSON: ISO 8601, seconds or milliseconds since 1970, or a
/// pattern.
public struct GreatestValue: Sendable, Hashable {
  /// The name of the entity; objects of entities below it count too.
  public var entity: String
  /// The name of the attribute.
  public var attribute: String
  /// The name of the parameter.
  public var parameter: String

  /// Creates a parameter from names.
  ///
  /// - Parameters:
  ///   - attribute: The name of the attribute.
  ///   - entity: The name of the entity.
  ///   - parameter: The name of the parameter.
  public init(_ attribute: String, of entity: String, as parameter: String) {
    (self.entity, self.attribute, self.parameter) = (entity, attribute, parameter)
  }

  /// Returns the parameter for an attribute of a typed entity.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's key path.
  ///   - parameter: The name of the parameter.
  /// - Returns: The parameter.
  public static func greatest<E: Entity, Value>(
    _ attribute: KeyPath<E, Attribute<Value>>, as parameter: String
  ) -> GreatestValue {
    GreatestValue(
      EntityType<E>.shared.name(of: attribute) ?? "\(attribute)", of: E.entityName, as: parameter)
  }

  /// Returns the greatest value that a target has.
  ///
  /// - Parameter target: The store or database.
  /// - Returns: The value as it is written in the address; nil if there is none.
  /// - Throws: `StoreError` for names that the model lacks, and where a database cannot be read.
  func text(in target: any ImportTarget) throws -> String? {
    guard let value = try target._greatest(attribute, of: entity) else { return nil }
    switch value {
    case .string(let text): return text
    case .uri(let url): return url.absoluteString
    case .date(let date):
      let schema = target.model.schema
      let attributes = schema.entityNumbers[entity].map { schema.entities[$0].attributes } ?? []
      let format = attributes.first { $0.name == attribute }?.dateFormat ?? .automatic
      return Self.text(of: date, as: format)
    case .integer(let value): return "\(value)"
    case .decimal(let value): return "\(value)"
    case .double(let value): return "\(value)"
    case .float(let value): return "\(value)"
    case .boolean(let value): return "\(value)"
    case .uuid(let value): return value.uuidString
    case .binary, .json: return nil
    }
  }

  private static func text(of date: Date, as format: DateFormat) -> String? {
    guard DateText.writableRange.contains(date.timeIntervalSinceReferenceDate) else { return nil }
    // The text is never later than the value; otherwise changes in between would not be requested. A date that was
    // read from whole milliseconds may be less than a nanosecond before them.
    let milliseconds = (date.timeIntervalSince1970 * 1_000 + 1e-4).rounded(.down)
    let interval = Date(timeIntervalSince1970: milliseconds / 1_000).timeIntervalSinceReferenceDate
    switch format {
    case .unixMilliseconds: return "\(Int64(milliseconds))"
    case .unix:
      let isWhole = milliseconds.truncatingRemainder(dividingBy: 1_000) == 0
      return isWhole ? "\(Int64(milliseconds / 1_000))" : "\(milliseconds / 1_000)"
    case .pattern(let text): return DatePattern(text).string(from: interval)
    case .automatic, .iso8601:
      var output = ByteBuffer()
      DateText.appendISO8601(interval, to: &output)
      return output.string
    }
  }
}
