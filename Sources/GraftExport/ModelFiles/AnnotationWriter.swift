import Graft

/// Writes values of descriptions as annotations of Graft's own dialect, the reverse of
/// `DialectRules`.
package enum AnnotationWriter {
  /// Returns an entity whose values are all written as annotations.
  package static func annotated(_ entity: EntityDescription) -> EntityDescription {
    var entity = entity
    entity.userInfo = annotations(of: entity)
    for index in entity.attributes.indices {
      entity.attributes[index].userInfo = annotations(of: entity.attributes[index])
    }
    for index in entity.relationships.indices {
      entity.relationships[index].userInfo = annotations(of: entity.relationships[index])
    }
    return entity
  }

  package static func annotations(of entity: EntityDescription) -> [String: String] {
    var info = entity.userInfo
    if let identity = entity.identity {
      info["identityAttributes"] = identity.joined(separator: " ")
    }
    info["JSONDiscriminator"] = entity.discriminator?.annotation ?? info["JSONDiscriminator"]
    info["JSONDiscriminatorValue"] = entity.discriminatorValue ?? info["JSONDiscriminatorValue"]
    info["JSONUnknownValue"] = entity.unknownEntity ?? info["JSONUnknownValue"]
    info["JSONModified"] = entity.modifiedAttribute ?? info["JSONModified"]
    add(Policies(missingIdentity: entity.missingIdentity), to: &info)
    return info
  }

  package static func annotations(of attribute: AttributeDescription) -> [String: String] {
    var info = attribute.userInfo
    info["JSONKeyPath"] = attribute.paths?.annotation ?? info["JSONKeyPath"]
    info["JSONDateFormat"] = attribute.dateFormat ?? info["JSONDateFormat"]
    info["JSONValues"] = attribute.values.flatMap(list) ?? info["JSONValues"]
    info["JSONUnknownValue"] = attribute.unknownValue?.modelFileText ?? info["JSONUnknownValue"]
    add(attribute.policies, to: &info)
    return info
  }

  package static func annotations(of relationship: RelationshipDescription) -> [String: String] {
    var info = relationship.userInfo
    info["JSONKeyPath"] = relationship.paths?.annotation ?? info["JSONKeyPath"]
    info["JSONRelatedBy"] = relationship.relatedBy ?? info["JSONRelatedBy"]
    add(relationship.policies, to: &info)
    return info
  }

  /// Returns values as an annotation; nil for values that it would not be read back as.
  private static func list(_ values: [AttributeValue]) -> String? {
    let texts = values.map(\.modelFileText)
    let isReadable = texts.allSatisfy {
      guard let first = $0.first, let last = $0.last else { return false }
      return !first.isWhitespace && !last.isWhitespace && !$0.contains("|")
    }
    return isReadable ? texts.joined(separator: " | ") : nil
  }

  private static func add(_ policies: Policies, to info: inout [String: String]) {
    // Most properties leave all policies to the next level.
    guard policies != Policies() else { return }
    for annotation in PolicyAnnotation.all {
      info[annotation.name] = annotation.value(in: policies) ?? info[annotation.name]
    }
  }
}
