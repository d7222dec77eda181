import Foundation

/// One element of Xcode's model XML, by its XML attributes.
struct XcodeModelElement {
  let values: [String: String]

  var name: String { values["name"] ?? "" }

  /// The entity that the element describes, still without properties.
  func entity() -> EntityDescription {
    EntityDescription(
      name: name, superentity: values["parentEntity"], isAbstract: isYes("isAbstract"))
  }

  /// The attribute that the element describes, and what could not be read of it.
  func attribute() -> (AttributeDescription, faults: [String]) {
    var faults: [String] = []
    let type = self.type(&faults)
    var attribute = AttributeDescription(name: name, type: type, isOptional: isYes("optional"))
    attribute.minimum = bound("minValueString", "minDateTimeInterval", &faults)
    attribute.maximum = bound("maxValueString", "maxDateTimeInterval", &faults)
    attribute.pattern = values["regularExpressionString"]
    attribute.isTransient = isYes("transient")
    attribute.isIndexed = isYes("indexed")
    if type == .transformable { attribute.transformerName = transformerName }
    if type == .date {
      attribute.defaultValue = date("defaultDateTimeInterval", &faults).map { .date($0) }
    } else if let text = values["defaultValueString"] {
      attribute.defaultValue = type.value(from: text)
      if attribute.defaultValue == nil, faults.isEmpty {
        faults.append("the default value \"\(text)\" is no \(type.rawValue); change it or the type")
      }
    }
    return (attribute, faults)
  }

  /// The relationship that the element describes, and what could not be read of it.
  func relationship() -> (RelationshipDescription, faults: [String]) {
    var faults: [String] = []
    var rule = DeleteRule.nullify
    if let text = values["deletionRule"] {
      let known = DeleteRule.allCases.map(\.rawValue)
      if let named = DeleteRule(rawValue: text) {
        rule = named
      } else {
        faults.append(
          "unknown delete rule \"\(text)\", expected \(AnnotationReader.enumeration(of: known))"
            + suggestion(for: text, in: known))
      }
    }
    let relationship = RelationshipDescription(
      name: name,
      destination: values["destinationEntity"] ?? "",
      inverse: values["inverseName"],
      isToMany: isYes("toMany"),
      isOrdered: isYes("ordered"),
      isOptional: isYes("optional"),
      minimumCount: count("minCount", &faults),
      maximumCount: count("maxCount", &faults),
      deleteRule: rule
    )
    return (relationship, faults)
  }

  private func isYes(_ key: String) -> Bool {
    values[key] == "YES"
  }

  private func type(_ faults: inout [String]) -> AttributeType {
    let known = AttributeType.allCases.map(\.rawValue)
    guard let text = values["attributeType"] else {
      // A transient attribute may have an undefined type, for which Xcode writes no attributeType.
      if !isYes("transient") {
        faults.append("has no attributeType, expected one of \(known.joined(separator: ", "))")
      }
      return isYes("transient") ? .transformable : .string
    }
    guard let type = AttributeType(rawValue: text) else {
      faults.append(
        "unknown attribute type \"\(text)\", expected one of \(known.joined(separator: ", "))"
          + suggestion(for: text, in: known))
      return .string
    }
    return type
  }

  private func count(_ key: String, _ faults: inout [String]) -> Int {
    guard let text = values[key] else { return 0 }
    guard let count = Int(text), Int32(exactly: count) != nil else {
      faults.append("\(key) is \"\(text)\", expected a whole number")
      return 0
    }
    return count
  }

  /// A bound, which is written as text or, of dates, as seconds.
  private func bound(
    _ textKey: String, _ dateKey: String, _ faults: inout [String]
  ) -> AttributeBound? {
    values[textKey].map { .text($0) } ?? date(dateKey, &faults).map { .value(.date($0)) }
  }

  /// A date that is written as seconds since the start of 2001.
  private func date(_ key: String, _ faults: inout [String]) -> Date? {
    guard let text = values[key] else { return nil }
    guard let seconds = Double(text), abs(seconds) < 1e12 else {
      faults.append("\(key) is \"\(text)\", expected seconds since 2001-01-01T00:00:00Z")
      return nil
    }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  /// The named transformer, unless it is one of Foundation's that archive values: these know
  /// nothing of JSON.
  private var transformerName: String? {
    guard let name = values["valueTransformerName"], !name.isEmpty else { return nil }
    let archivers = [
      "NSSecureUnarchiveFromData", "NSKeyedUnarchiveFromData", "NSUnarchiveFromData",
    ]
    return archivers.contains { name.hasPrefix($0) } ? nil : name
  }
}
