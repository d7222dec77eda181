/// The spelling of JSON keys for properties that name no path.
public enum KeyStyle: String, Sendable, Hashable, CaseIterable {
  /// The name of the property: `createdAt` is read from `createdAt`.
  case asNamed
  /// In small letters, with underscores between the words: `createdAt` is read from `created_at`,
  /// `userID` from `user_id`, `profileImageURL` from `profile_image_url`.
  case snakeCase

  /// Returns the path of a property that names none; nil if its own name is the key.
  func path(ofProperty name: String) -> JSONPaths? {
    let key: String =
      switch self {
      case .asNamed: name
      case .snakeCase: name.prefix { $0 == "_" } + NameWords.snakeCase(name)
      }
    return key == name ? nil : JSONPaths([JSONPath([.member(key)]).description])
  }
}
