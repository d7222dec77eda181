import Graft
import Synchronization

/// Keeps the secrets of the command line out of messages, because a server may repeat them.
enum HiddenValues {
  /// Shorter values occur in any text.
  private static let leastLength = 6

  private static let values = Mutex<Set<String>>([])

  /// Keeps a value out of all messages from now on.
  static func add(_ value: String) {
    guard value.count >= leastLength else { return }
    _ = values.withLock { $0.insert(value) }
  }

  /// Keeps the value of a header out of all messages, if its name says that it gives access.
  ///
  /// Of `Bearer 5f1c…`, a server may repeat the second word alone.
  static func add(_ value: String, ofHeader name: String) {
    guard Secrets.isNamed(name) else { return }
    add(value)
    let words = value.split(separator: " ")
    for word in words.dropFirst() { add(String(word)) }
  }

  /// Returns a text with `***` in place of each secret.
  static func removed(from text: String) -> String {
    let values = values.withLock { $0 }
    guard !values.isEmpty else { return text }
    return values.sorted { $0.count > $1.count }.reduce(text) { text, value in
      text.replacing(value, with: "***")
    }
  }
}
