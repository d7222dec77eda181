/// A conclusion of an inference, with its evidence.
public struct InferenceFinding: Sendable, Hashable, CustomStringConvertible {
  /// The degree of certainty of a conclusion.
  public enum Certainty: String, Sendable, Hashable, CaseIterable {
    /// The data leaves no doubt.
    case certain
    /// The data agrees, but is little.
    case likely
    /// Names support the conclusion more than the data does.
    case guess
    /// Nothing is concluded: an export will write this differently.
    case loss
  }

  /// The part of the model that a finding describes.
  public enum Topic: String, Sendable, Hashable, CaseIterable {
    /// The objects of an entity, and its identity.
    case entity
    /// The relationships between entities.
    case relationship
    /// The types of values, and objects that became part of others.
    case attribute
  }

  /// The entity or property: `User`, `Event.topicIds → Topic`.
  public let subject: String
  /// The evidence in words: `1046 of 1046 values are identities`.
  public let evidence: String
  /// The degree of certainty.
  public let certainty: Certainty
  /// The part of the model that the finding describes.
  public let topic: Topic

  init(subject: String, evidence: String, certainty: Certainty, topic: Topic = .attribute) {
    self.subject = subject
    self.evidence = evidence
    self.certainty = certainty
    self.topic = topic
  }

  /// Subject and evidence in one line.
  public var description: String { "\(subject): \(evidence) (\(certainty.rawValue))" }
}
