// Finds paths that make no sense for a property. The compilers report them for a model, the
// ``MappingResolver`` for a mapping.

extension JSONPath {
  /// Whether the path leads to any number of values.
  var hasWildcard: Bool { steps.contains(where: \.isWildcard) }

  /// Returns the reason why no attribute can be found at this path; nil if one can.
  ///
  /// - Parameters:
  ///   - type: The attribute's type.
  ///   - words: The words of messages for the parts of the model.
  /// - Returns: The fault, with what helps.
  func fault(ofAttribute type: AttributeType, _ words: ModelVocabulary) -> String? {
    if steps.isEmpty, type != .transformable {
      return
        "an attribute at \"$\" would be the object itself; name one of its keys, \"@value\" where"
        + " a scalar takes the place of the object, or keep the object as JSON in \(words.transformable)"
    }
    guard hasWildcard else { return nil }
    return
      "the path \"\(self)\" has a wildcard and leads to any number of values, but an attribute holds"
      + " one; name a position such as [0], keep the whole array in \(words.transformable), or make it a"
      + " relationship to many"
  }

  /// Returns the reason why no relationship can be found at this path; nil if one can.
  func fault(ofToMany isToMany: Bool) -> String? {
    guard isToMany, !hasWildcard, let last = steps.last,
      last == .key || last == .index || last == .value
    else { return nil }
    return
      "\"@key\", \"@index\" and \"@value\" are single values; name a path to an array, or make the"
      + " relationship to-one"
  }
}
