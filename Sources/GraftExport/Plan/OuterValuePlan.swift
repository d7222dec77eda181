import Graft

/// The values that an entity's objects read of enclosing objects, and the values that nested
/// objects read of them.
struct OuterValuePlan {
  /// The properties that are read from enclosing JSON objects (`@parent`).
  var outer: [OuterStep] = []
  /// The values written for nested objects, by path.
  var readInside: [JSONPath: OuterValue] = [:]
  /// The relationships that are written into the JSON object, by their numbers in the plan.
  var relationships = 0..<0
}

/// A property that an object reads from the JSON objects around it.
struct OuterStep {
  /// The value at the end of one of the property's paths.
  enum Source {
    case outer(OuterPlace)
    /// A constant, as it is in a JSON string.
    case constant([UInt8])
  }

  var property: LostProperty.Property
  /// The object that has it: 0 for the object itself, others for its shared objects.
  var object: Int
  /// The step that would write the attribute, or the identity of a relationship's object; nil if
  /// the identity is not one attribute.
  var step: AttributeStep?
  /// The sources, in order.
  var sources: [Source]
  /// Whether an import finds the property inside the object if no source has a value.
  var isWritten = false
}

/// The output at a place where nested objects read a value.
enum OuterValue {
  case attribute(AttributeStep, object: Int)
  /// A constant, as it is in a JSON string.
  case constant([UInt8])
  /// An attribute of the object of a to-one relationship, one of the plan's.
  case related(relationship: Int, AttributeStep, isIdentity: Bool)
  /// The identity of the object of a to-one relationship, by its number.
  case identity(relationship: Int, AttributeStep)
  /// One of the plan's hoisted values.
  case hoisted(Int)
}

/// A value that the objects of a relationship read from their owner's JSON object, and for which
/// the owner has no property.
///
/// It is hoisted there from the first of the objects that has one.
struct HoistedValue {
  /// The number of the owner's entity.
  var entity: Int
  /// The owner: 0 for the object itself, others for its shared objects.
  var object: Int
  /// The number of the owner's relationship.
  var relationship: Int
  var attribute: AttributeStep
}
