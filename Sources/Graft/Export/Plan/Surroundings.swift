/// What objects of an entity read around them, and what others read inside them.
struct Surroundings {
  /// What an import reads from the JSON objects around (`@parent`).
  var outer: [OuterStep] = []
  /// What is written where objects inside read values from around them.
  var readInside: [JSONPath: OuterValue] = [:]
  /// The relationships that are written into the JSON object, by their numbers in the plan.
  var relationships = 0..<0
}

/// A property that an object reads from the JSON objects around it.
struct OuterStep {
  /// What one of its paths leads to.
  enum Source {
    case around(OuterPlace)
    /// A constant, as it is in a JSON string.
    case constant([UInt8])
  }

  var property: UnwrittenProperty.Property
  /// The object that has it: 0 for the object itself, others for its shared objects.
  var object: Int
  /// How an attribute would be written; for a relationship, the identity of its object; nil where that is
  /// no single attribute.
  var step: AttributeStep?
  /// In their order.
  var sources: [Source]
}

/// What is written at a place where objects inside an object read a value.
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

/// A value that the objects of a relationship read from their owner's JSON object, where the owner has no property: it
/// is hoisted there from the first of them that has one.
struct HoistedValue {
  /// The number of the owner's entity.
  var entity: Int
  /// The owner: 0 for the object itself, others for its shared objects.
  var object: Int
  /// The number of the owner's relationship.
  var relationship: Int
  var attribute: AttributeStep
}
