// The compiler copies the standard library's sort for each type of collection and each closure, and
// optimises every copy: some thousand instructions for one call. Names are sorted in thirty places,
// none of them in a hurry. They share one copy here, which saves a tenth of the library's code.

extension Sequence<String> {
  /// Returns the names in ascending order; used within the library instead of the generic method.
  func sorted() -> [String] {
    var names = Array(self)
    sort(&names)
    return names
  }
}

extension Dictionary where Key == String {
  /// Returns the members in the order of their keys.
  package func sortedByKey() -> [Element] {
    keys.sorted().compactMap { key in self[key].map { (key, $0) } }
  }
}

@inline(never)
private func sort(_ names: inout [String]) { names.sort() }
