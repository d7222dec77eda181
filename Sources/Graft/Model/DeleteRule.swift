/// What happens to the objects at the other end of a relationship when an object is deleted.
public enum DeleteRule: String, Sendable, Hashable, CaseIterable {
  /// The objects at the other end lose their link back.
  case nullify = "Nullify"
  /// The objects at the other end are deleted as well.
  case cascade = "Cascade"
  /// The deletion is refused while there is an object at the other end.
  case deny = "Deny"
  /// Nothing is done about the other end beyond removing the link that would otherwise lead
  /// nowhere.
  case noAction = "No Action"
}
