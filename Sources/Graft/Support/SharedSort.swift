// The compiler copies the standard library's sort for each closure, and optimises every copy: some
// thousand instructions for one call. Numbers, names, and short lists that are sorted once, share the copies in this file.
// A sort of its own is for long lists, and where time counts. `inOrder(by:)` itself is compiled once too, and not for each
// type of elements.

extension Sequence {
  /// Returns the elements in an order; equal ones stay as they are.
  ///
  /// - Parameter precedes: Whether the first element comes before the second.
  /// - Returns: The elements in order.
  /// - Complexity: O(*n* log *n*), with an indirect call for each comparison.
  @_semantics("optimize.sil.specialize.generic.never")
  package func inOrder(by precedes: (Element, Element) -> Bool) -> [Element] {
    let elements = Array(self)
    let positions = withoutActuallyEscaping(precedes) { precedes in
      PositionOrder { precedes(elements[$0], elements[$1]) }.sorted(count: elements.count)
    }
    return positions.map { elements[$0] }
  }
}

extension Sequence<Int> {
  /// Returns the numbers in ascending order; used within the library instead of the generic method.
  func sorted() -> [Int] {
    var numbers = Array(self)
    sort(&numbers)
    return numbers
  }
}

@inline(never)
private func sort(_ numbers: inout [Int]) { numbers.sort() }

extension Dictionary where Key == Int {
  /// Returns the members in the order of their keys.
  package func sortedByKey() -> [Element] { inOrder { $0.key < $1.key } }
}

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

/// An order of positions in an array.
///
/// It is an object because the compiler copies functions for the closures that they are given, but
/// not for the objects.
private final class PositionOrder {
  private let precedes: (Int, Int) -> Bool

  init(_ precedes: @escaping (Int, Int) -> Bool) { self.precedes = precedes }

  @inline(never)
  func sorted(count: Int) -> [Int] { (0..<count).sorted(by: precedes) }
}
