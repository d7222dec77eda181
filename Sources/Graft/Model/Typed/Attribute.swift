import Foundation
public import Synchronization

/// An attribute of an ``Entity``, by the type of its values.
///
/// The name of the attribute is the name of the stored property. A value of an optional type may be
/// missing; all others are required in every object that is committed. Of an object of which
/// nothing but its identity is known yet (``Object/isStub``), a required attribute reads as its
/// default, or else as the empty value of its type: 0, an empty text, `Date.distantPast`, the first
/// case.
///
/// Copies of an attribute are the same attribute; each entity needs its own.
public struct Attribute<Value: Sendable>: Sendable {
  @usableFromInline let core: AttributeCore<Value>

  init(_ core: AttributeCore<Value>) {
    self.core = core
  }
}

// What reads a value is inlinable, so that it is compiled for the value's type: without, the
// runtime's look-ups of generic types made up most of the 150 ns that a value cost.

/// What an attribute was declared with, and its number once its entity is known.
@usableFromInline final class AttributeCore<Value: Sendable>: Sendable {
  @usableFromInline let codec: AttributeCodec<Value>
  let settings: AttributeSettings
  /// What is read where there is no value; nil where the model must be refused.
  @usableFromInline let missing: Value?
  /// Why the default value cannot be kept.
  private let defaultFault: String?
  @usableFromInline let assigned = Atomic<Int>(-1)

  init(
    _ codec: AttributeCodec<Value>, default defaultValue: Value?, _ bounds: (Value?, Value?),
    _ settings: AttributeSettings
  ) {
    self.codec = codec
    missing = codec.isOptional ? codec.placeholder : defaultValue ?? codec.placeholder
    var settings = settings
    var fault: String?
    if settings.minimum != nil, bounds.0 != nil || bounds.1 != nil {
      fault =
        "`length` and `minimum` or `maximum` are both given, of which a text has one; give "
        + "the length alone"
    }
    do {
      settings.defaultValue = try defaultValue.flatMap(codec.encode)
      settings.minimum =
        try bounds.0.flatMap(codec.encode).map(AttributeBound.value) ?? settings.minimum
      settings.maximum =
        try bounds.1.flatMap(codec.encode).map(AttributeBound.value) ?? settings.maximum
    } catch {
      fault = "the default value or a bound cannot be kept: \(error)"
    }
    defaultFault = fault
    self.settings = settings
  }

  /// The number among the attributes of the entity, inherited ones first.
  @inlinable var number: Int {
    let number = assigned.load(ordering: .relaxed)
    precondition(
      number >= 0,
      "an attribute was read that no stored property of its entity holds; declare it as `let`")
    return number
  }

  /// The value in a column's cell.
  @inlinable func value(of raw: RawValue) -> Value {
    if !raw.isNull, let value = codec.decode(raw) { return value }
    guard let missing else {
      preconditionFailure("a model does not accept an attribute that has nothing to read as")
    }
    return missing
  }
}

extension AttributeCore: AttributeDeclaration {
  func assign(_ number: Int) -> Bool {
    assigned.compareExchange(expected: -1, desired: number, ordering: .relaxed).exchanged
  }

  var fault: String? {
    if let defaultFault { return defaultFault }
    guard missing == nil else { return nil }
    return "a required \(Value.self) has nothing to read as in an object of which only its "
      + "identity is known; give it a default, make it `Attribute<\(Value.self)?>`, or make "
      + "\(Value.self) CaseIterable"
  }

  func description(named name: String) -> AttributeDescription {
    var description = AttributeDescription(
      name: name, type: codec.type, isOptional: codec.isOptional,
      defaultValue: settings.defaultValue, minimum: settings.minimum, maximum: settings.maximum,
      pattern: settings.pattern, isIndexed: settings.isIndexed, paths: settings.paths,
      dateFormat: settings.format, transformer: settings.transformer, policies: settings.policies)
    description.domain = codec.domain
    return description
  }
}
