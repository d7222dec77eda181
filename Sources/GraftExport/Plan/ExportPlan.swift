// The steps for each object of an entity, compiled once. Each step has its key as ready bytes and
// the number of its column. No name is looked up while objects are written.
//
// For this entity, whose objects have a nested object for two of their properties,
//
//     Hero: name at "name", city at "home.city", planet at "home.planet"
//
// the steps are: attribute `name` under "name"; begin an object under "home"; attribute `city` under
// "city"; attribute `planet` under "planet"; end the object.
//
// Steps are small and hold no references, because each is copied for each object. Further data is
// in tables of the plan.

import Graft

/// The steps for writing the objects of a model.
final class ExportPlan: Sendable {
  /// The model of the graphs.
  let model: ModelSchema
  /// The same model, with the paths of the mapping.
  let schema: ModelSchema
  let options: ExportOptions
  /// The plan of each entity, indexed by entity number.
  let entities: [EntityExportPlan]
  /// The numbers of the entities in the order in which a whole graph is written.
  let order: [Int]
  /// Keys and constants as JSON, one after the other.
  private let literals: [UInt8]
  /// The loops over elements, which are all written alike.
  let loops: [ExportLoop]
  /// The relationships of all steps.
  ///
  /// They are passed on by their number here: writing recurses, and copies would take stack at each
  /// level.
  let relationships: [RelationshipStep]
  /// The place of each relationship.
  let places: [RelationshipPlace]
  /// The values that objects read of enclosing objects, and the values that nested objects read of them; by entity.
  let outerValues: [OuterValuePlan]
  /// The values that nested objects read and no property of the enclosing objects has; they are written there.
  let hoisted: [HoistedValue]
  /// The attributes that are read from the places of other properties.
  let emptyStrings: [(object: Int, attribute: Int)]
  /// Whether objects of some entity read outer values (`@parent`).
  let readsOuterValues: Bool
  /// The entities at whose places an import may take an object for one of another entity, and why; by entity of the
  /// object.
  let mistakes: [[Int: EntityMistake]]
  /// Whether there are such entities.
  let mayBeMistaken: Bool
  let patterns: [WrittenPattern]
  let transformers: [ReversedTransformer]

  /// Compiles a plan.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - options: The options for writing objects.
  /// - Throws: ``ExportError`` if the options name what the model does not have, or too many
  ///   objects share one JSON object; `ModelError` if the mapping does not fit the model.
  init(_ model: ModelSchema, _ options: ExportOptions) throws {
    let schema = try model.applying(options.mapping)
    let builder = try ExportPlanBuilder(schema, options)
    let entities = try schema.entities.map { try builder.export(of: $0) }
    self.entities = entities
    order = ExportOrder(builder.outerValues, builder.relationships, schema).numbers
    literals = builder.literals
    relationships = builder.relationships
    places = builder.places
    hoisted = builder.hoisted
    emptyStrings = builder.emptyStrings
    outerValues = builder.outerValues
    readsOuterValues = outerValues.contains { !$0.outer.isEmpty }
    mistakes = zip(schema.entities, entities).map { entity, export in
      export.keyName == nil ? schema.mistakes(about: entity) : [:]
    }
    mayBeMistaken = mistakes.contains { !$0.isEmpty }
    loops = builder.loops
    patterns = builder.patterns
    transformers = builder.transformers
    self.model = model
    self.schema = schema
    self.options = options
  }

  /// Writes a key of a step.
  @inline(__always)
  func write(key: ExportStep.Literal, to json: inout JSONWriter) {
    let literals = literals
    json.key(prepared: literals.span.extracting(key.range))
  }

  /// Writes a constant of a step.
  func write(_ constant: ExportStep.Literal, to json: inout JSONWriter) {
    let literals = literals
    json.literal(literals.span.extracting(constant.range))
  }
}

/// The steps for writing the objects of one entity.
struct EntityExportPlan {
  /// The steps for writing an object in full.
  var steps: [ExportStep] = []
  /// The steps for a reference that is an object: the identity, and the other attributes that an
  /// import needs to insert the object.
  var reference: [ExportStep] = []
  /// Whether an object is an array in JSON: of values by position, or of the members of a relationship.
  var isArray = false
  /// The relationship whose members are the elements of that array, one of the plan's.
  var ownArray: Int32?
  /// Whether the entity's objects, or objects nested in them, read values of enclosing objects.
  var readsOuterValues = false
  /// The objects that share the JSON object, the object itself not counted.
  var sharedObjects: [SharedObject] = []
  /// The relationships of the object itself that are written, by their numbers in the plan.
  var relationships: [Int] = []
  /// The properties without a place, for the report.
  var unwritten: [LossCheck] = []
  /// The attributes whose transformer the model lacks, for the report.
  var untransformed: [Int] = []
  /// The attributes whose transformer has no reverse, with it, for the report.
  var irreversible: [(attribute: Int, CustomTransformer)] = []
  /// The only attribute of the identity; nil if it has none or several.
  var identity: AttributeStep?
  /// Whether the object itself has all attributes of the identity.
  var holdsIdentity = true
  /// Whether the object itself has them together with its key.
  var holdsIdentityWithKey = true
  /// Whether the object itself has them together with its position in an array.
  var holdsIdentityWithPosition = true
  /// The attribute that is an object's key in a keyed collection; nil if keys are positions.
  var key: AttributeStep?
  /// Whether an import sets an attribute from that key (`@key`).
  var importsKey = false
  /// Whether the attribute that an import sets from the key is written nowhere else.
  var isNamedByKeyOnly = false
  /// Whether an import prefers the key to the value of that attribute inside the object.
  var isNamedByKeyFirst = false
  /// Whether that attribute is part of the identity then, so that the object is not found under another key.
  var isIdentifiedByKeyFirst = false
  /// Whether that attribute is the whole identity.
  var isKeyIdentity = false
  /// Whether an object's position in an array is the whole identity, so that an identifier is a position.
  var isPositionIdentity = false
  /// Whether the position is given only by the place in the array.
  var isPlacedByPositionOnly = false
  /// Whether an import prefers the place in the array to the value of that attribute inside the object.
  var isPlacedByPositionFirst = false
  /// Whether a reference that is an object would make an import change relationships that the
  /// reference lacks.
  var isChangedByReference = false
  /// Whether a value of an object may have no place in JSON, so that each object is checked for
  /// losses.
  var mayHaveLosses = false
  /// The keys of the object itself, which no member of a relationship that is spread may have.
  var ownKeys: [String] = []
  /// The attribute that an element of an array consists of (`@value`); nil if elements are objects.
  var scalar: AttributeStep?
  /// The number of the attribute that an import reads from a scalar; nil if it reads none.
  var value: Int?
  /// Whether an import takes a scalar for a whole object, and not for its identity.
  var isWholeAsScalar = false
  /// Whether an import takes a scalar under a key for a whole object.
  var isWholeAsScalarUnderKey = false
  /// Whether an object has other properties than that scalar.
  var hasOthersThanScalar = false
  /// The number of the attribute that is an element's position (`@index`).
  var position: Int?
  /// Whether objects can be referred to by their identity.
  var hasIdentity = false
  /// Whether some objects may lack an identity nevertheless.
  var mayBeAnonymous = false
  /// Whether some may lack it that an import then refuses or skips (`JSONMissingIdentity`).
  var needsIdentity = false
  /// Whether the entity has one object only.
  var isSingleton = false
  /// Whether an object can occur inside itself.
  var isRecursive = false
  /// Whether objects without identity may be nested inside.
  var mayHoldAnonymous = false
  /// Whether a discriminator distinguishes the entity from others of its family.
  var isDiscriminated = false
  /// The key from which an import learns the sub-entity, as JSON, if no value in the object names
  /// it.
  var keyName: [UInt8]?
}

/// The reason why an import may take an object for one of another entity, where it expects this one or one above.
enum EntityMistake {
  /// Nothing in JSON names the entity.
  case unnamed
  /// A mapper is asked.
  case mapped
  /// A mapper is asked, and the model lacks its code.
  case unknown
}

extension ModelSchema {
  /// Returns where and why an import may take objects of an entity for those of another one.
  fileprivate func mistakes(about entity: EntitySchema) -> [Int: EntityMistake] {
    var mistakes: [Int: EntityMistake] = [:]
    for place in lineage(of: entity) {
      if place.mapper != nil {
        mistakes[place.number] = .mapped
      } else if place.number != entity.number, !place.discriminated.values.contains(entity.number) {
        let isAsked = place.discriminators.isEmpty && place.entityMapperName != nil
        mistakes[place.number] = isAsked ? .unknown : .unnamed
      }
    }
    return mistakes
  }
}

/// A related object whose properties are written into the JSON object of its owner.
package struct SharedObject {
  /// The owner: 0 for the object itself, then the shared objects in their order.
  package var owner: Int
  /// The number of the owner's relationship.
  package var relationship: Int
}
