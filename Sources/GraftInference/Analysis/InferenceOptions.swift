import Graft

/// The user's knowledge of the documents, and corrections of the inferred model.
///
/// Properties are named `Entity.property`, by the name that they have in the model or by their path in JSON.
public struct InferenceOptions: Sendable, Hashable {
  /// Properties whose values stay as the document has them: no relationships, no dates.
  public var kept: Set<String>
  /// Properties that the model leaves out.
  public var omitted: Set<String>
  /// New names of entities and of properties, by the names that they would have.
  public var renames: [String: String]
  /// Names of the entities whose objects are found at a path, such as `statuses`.
  public var entityNames: [String: String]
  /// The attributes that are the identity of an entity; none for an empty array.
  public var identities: [String: [String]]
  /// The least certainty at which a reference becomes a relationship; a less certain one is only a finding.
  public var minimumCertainty: InferenceFinding.Certainty
  /// The most places that are distinguished; further ones are not read.
  var placeLimit = 50_000

  /// Creates options.
  ///
  /// - Parameters:
  ///   - kept: Properties whose values stay as the document has them.
  ///   - omitted: Properties that the model is to lack.
  ///   - renames: New names of entities and of properties.
  ///   - entityNames: Names of the entities whose objects are found at a path.
  ///   - identities: The attributes that are the identity of an entity.
  ///   - minimumCertainty: The least certainty at which a reference becomes a relationship.
  public init(
    kept: Set<String> = [], omitted: Set<String> = [], renames: [String: String] = [:],
    entityNames: [String: String] = [:], identities: [String: [String]] = [:],
    minimumCertainty: InferenceFinding.Certainty = .likely
  ) {
    self.kept = kept
    self.omitted = omitted
    self.renames = renames
    self.entityNames = entityNames
    self.identities = identities
    self.minimumCertainty = minimumCertainty
  }
}
