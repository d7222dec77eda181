// The compiler copies the standard library's sort for each closure, and optimises every copy: some
// thousand instructions for one call. Numbers, and short lists that are sorted once, share the copies in this file.
// A sort of its own is for long lists, and where time counts.

extension Sequence {
  /// Returns the elements in an order; equal ones stay as they are.
  ///
  /// - Parameter precedes: Whether the first element comes before the second.
  /// - Returns: The elements in order.
  /// - Complexity: O(*n* log *n*), with an indirect call for each comparison.
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
