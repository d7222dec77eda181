import Graft

/// Says why an import of the output does not find a value again.
enum LossReason: Hashable {
  /// No property of its own can be written at its path.
  case noPlace
  /// It has no value, which an import refuses.
  case refusedNull
  /// It is written, and an import finds another value at an earlier one of its paths.
  case shadowed
  /// It has no value, and the name of the sub-entity is written at its place.
  case namesSubentity
  /// It has no value, and an import gives it the default.
  case defaultValue
  /// It is the object's key, and the object is written without one.
  case noKey
  /// It is the object's key, and the object is written under another one.
  case otherKey
  /// The JSON key would name the sub-entity, but the object is not written under a key.
  case noSubentity
  /// Nothing in JSON names the sub-entity.
  case unnamedSubentity
  /// The entity mapper gives another entity for what is written.
  case mappedOtherwise
  /// The model lacks the entity mapper that an import asks.
  case unknownMapper
  /// It is a value of an enclosing object, and is not found there.
  case noOwner
  /// It is the object's position, and the object is written at another one.
  case noPosition
  /// The object is written as a scalar.
  case isScalar
  /// The related object has no identity, and cannot be nested here.
  case noIdentity
  /// An import does not take an object whose identity has no value.
  case unidentified
  /// An import takes the value that refers to the object for an earlier one.
  case sharesValue
  /// A stub is not written, because no value refers to it any more.
  case orphaned
  /// An object without identity is written more than once.
  case repeated
  /// A reference is an object without the relationship, which an import reads as absent.
  case absent
  /// A reference is an object without the relationship, which an import refuses.
  case refusedReference
  /// A reference comes before its object, and an import does not wait for it.
  case forward
  /// The order of a list is lost, because some members have no identity and only the inverse is written.
  case noOrder
  /// Only the object's identity is written.
  case identityOnly
  /// A stub is written as its identity.
  case isStub
  /// Both ends are ordered lists, and an import adds to one of them. Each list changes the
  /// other's order.
  case addedOrder
  /// The object has the same key as another member of its collection.
  case sharesKey
  /// The object has no key, and an import would set one.
  case isUnnamed
  /// The date has more than its pattern shows.
  case cutDate
  /// It is a link of a list that is left out, because other members cannot be referred to.
  case partOfList
  /// The transformer makes another value of it, because it cannot be reversed.
  case irreversible
  /// The model lacks the transformer that makes JSON of the value.
  case untransformed
  /// It keeps the JSON of the whole object.
  case keptObject
  /// The date has more than milliseconds.
  case roundedDate
}

extension LossReason {
  /// Whether the entity of an object is lost, and no property of its own.
  var isOfEntity: Bool {
    switch self {
    case .noSubentity, .unnamedSubentity, .mappedOtherwise, .unknownMapper: true
    default: false
    }
  }

  /// The text about dates with fractions of milliseconds.
  static let roundedDateText =
    "the date is rounded to the millisecond, as all dates are written; keep a number of seconds where"
    + " more is needed"

  /// Returns the reason and the remedy.
  ///
  /// - Parameter words: The words of messages for the parts of the model.
  /// - Returns: The rest of a message, after the property.
  func text(_ words: ModelVocabulary) -> String {
    switch self {
    case .noPlace:
      "not written, because its path leads through a wildcard or another property's value, or to the name"
        + " or line of a file; give it a path of its own"
    case .shadowed:
      "an import finds another value at an earlier one of its paths; put the path of its own first"
    case .namesSubentity:
      "the name of the sub-entity is written where there is no value, and an import reads it"
        + " (\(words.name(of: "JSONDiscriminator"))); give it that value, or a path of its own"
    case .refusedNull:
      "an import refuses the object without a value of this (\(words.name(of: "JSONNull")), \(words.name(of: "JSONAbsent"))); let"
        + " its null be \"clear\", or give it a value"
    case .defaultValue:
      "an import gives the default where there is no value (\(words.name(of: "JSONNull")), \(words.name(of: "JSONAbsent"))); let"
        + " its null be \"clear\", or let it have no default"
    case .noOwner:
      "not written, because an import reads it from the object around (@parent), where this value is not"
        + " found; write the objects that it belongs to, let a relationship of theirs lead to it, or give"
        + " it a path of its own"
    case .noKey:
      "not written, because an import reads it from the key (@key), and the object is written without"
        + " one; write the objects under keys, or give it a path of its own"
    case .otherKey:
      "an import reads it from the key (@key), which is the name of the relationship where the object is"
        + " written; write the objects under keys, or let the path in the object come first"
    case .noSubentity:
      "the sub-entity is not written, because an import reads it from the key (@key), and the object"
        + " is written without one; write the objects under keys, or name another discriminator path"
    case .unnamedSubentity:
      "the sub-entity is not written, because no discriminator names it, and an import makes an object of an"
        + " entity above; name a discriminator (\(words.name(of: "JSONDiscriminator"))), or export the objects of the"
        + " sub-entity"
    case .mappedOtherwise:
      "an import asks the entity mapper (\(words.name(of: "entityMapperName"))), which gives another entity for what"
        + " is written; write an attribute that it reads, or name a discriminator"
        + " (\(words.name(of: "JSONDiscriminator")))"
    case .unknownMapper:
      "an import asks the entity mapper (\(words.name(of: "entityMapperName"))), and the model lacks its code, so that"
        + " nobody knows whether it gives this entity; export with a model that has it"
    case .noPosition:
      "not written, because an import reads it from the position (@index), and the object is"
        + " written at another one; give it a path of its own"
    case .isScalar:
      "not written, because the object is written as a scalar (@value); give that attribute a path of its"
        + " own"
    case .noIdentity:
      "a link is not written, because the object that it leads to has no identity that a reference could"
        + " give, and cannot be nested here; give it one of its own, or let the relationship be nested"
    case .unidentified:
      "an import refuses or skips an object whose identity has no value"
        + " (\(words.name(of: "JSONMissingIdentity"))); set it, or let that be \"insert\""
    case .sharesValue:
      "an import links an earlier object with the same value (\(words.name(of: "JSONRelatedBy"))); give the objects"
        + " different values, or an identity"
    case .orphaned:
      "a stub is not written, because no value refers to it any more"
        + " (\(words.name(of: "JSONRelatedBy"))); delete it, or fill it"
    case .repeated:
      "an object without identity is written more than once, because several objects lead to it; give it"
        + " an identity"
    case .absent:
      "an import may clear it, because it is absent where the object is referred to (\(words.name(of: "JSONAbsent"))); let"
        + " it be \"keep\", or identify the objects by one attribute"
    case .refusedReference:
      "an import refuses references to the object, in which it is absent (\(words.name(of: "JSONAbsent"))); let"
        + " it be \"keep\", or identify the objects by one attribute"
    case .forward:
      "an import skips or refuses it, because the object comes later (\(words.name(of: "JSONReference"))); let"
        + " it be \"defer\" or \"stub\""
    case .noOrder:
      "the order is not written, because members have no identity; give them one"
    case .identityOnly:
      "only the identity is written, since the object lacks its key (@key) where it is met; write the"
        + " objects of the entity too, or the whole graph"
    case .isStub:
      "not written, because a stub is written as its identity alone; give the relationship an inverse, or"
        + " fill the object"
    case .addedOrder:
      "the order may change in an import, which adds to the list (\(words.name(of: "JSONCollection"))) in the"
        + " order of the inverse; let it be \"replace\", or leave the inverse out"
    case .sharesKey:
      "an object is written as its identity or not at all, because another of its collection is found under"
        + " the same key (@key); give each its own, or write them as an array"
    case .isUnnamed:
      "an object is written as its identity or not at all, because an import would set this attribute"
        + " from its key (@key), and it has no value; set it, or write the objects as an array"
    case .cutDate:
      "part of the date is not written, because its pattern does not show it; give it a pattern with all of"
        + " it, or iso8601"
    case .partOfList:
      "the link is not written, because other members of the list have no identity that a reference could"
        + " give; give them one"
    case .irreversible:
      "written as it is stored, and an import transforms it again (\(words.name(of: "JSONTransformerName")));"
        + " give the transformer a reverse"
    case .untransformed:
      "written as it is stored, because the model lacks the code of its transformer; export with a model that has it"
    case .keptObject:
      "not written, because the object is written by its properties; JSON that none of them reads is"
        + " found in this attribute alone"
    case .roundedDate: Self.roundedDateText
    }
  }
}
