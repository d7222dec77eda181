import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `A query, with an index and without,` {
  @Test(arguments: AttributeType.allCases)
  func `orders as a stable sort does, in every snapshot`(_ type: AttributeType) throws {
    // Asked for when all commits are done, so that the chunks of old snapshots are sorted late.
    for graph in try QueryTrial(type, seed: 1).graphs.reversed() {
      let objects = try graph.objects("Item")
      for attribute in ["indexed", "plain"] {
        for order in [SortOrder.forward, .reverse] {
          let expected = QueryTrial.sorted(
            Array(objects), by: attribute, isReversed: order == .reverse)
          let found = try objects.ordered(by: attribute, order)
          #expect(found.map(\.id) == expected.map(\.id))
          #expect(found.count == objects.count)
          #expect(found.first == expected.first)
        }
      }
    }
  }

  @Test(arguments: AttributeType.allCases)
  func `finds what a filter finds, in its order`(_ type: AttributeType) throws {
    for graph in try QueryTrial(type, seed: 2).graphs {
      for entity in ["Item", "Special"] {
        let objects = try graph.objects(entity)
        for attribute in ["indexed", "plain"] {
          let values = objects.map { ($0.id, $0.value(attribute)) }
          for wanted in QueryTrial.pool(type) {
            let expected = values.filter { _, value in
              guard let value, let wanted else { return value == nil && wanted == nil }
              return QueryTrial.same(value, wanted)
            }
            let found = try objects.where(attribute, equals: wanted)
            #expect(found.map(\.id) == expected.map(\.0))
            #expect(found.count == expected.count)
            #expect(found.isEmpty == expected.isEmpty)
          }
        }
      }
    }
  }

  @Test func `finds the values of a range, sorted`() throws {
    try check(.integer64, [Int64.min, -1, 0, 1, 8, .max])
    try check(.integer16, [-40_000, -1, 0, 7, 40_000])
    try check(.double, [-.infinity, -0.0, 0, 0.5, .infinity])
    try check(.decimal, ["-0.1", "0.1", "0.1000000000000000000000000001", "10"].map(decimal))
    try check(.date, [-1, 0, 0.25].map { Date(timeIntervalSinceReferenceDate: $0) })
    try check(.string, ["", "a", "a\0", "prefix__", "prefix__a", "q", "é"])
  }

  private func decimal(_ text: String) -> Decimal { Decimal(string: text) ?? .nan }

  private func check<Bound: AttributeConvertible & Comparable>(
    _ type: AttributeType, _ bounds: [Bound]
  ) throws {
    let graph = try #require(try QueryTrial(type, commits: 2, seed: 3).graphs.last)
    let objects = try graph.objects("Item")
    for attribute in ["indexed", "plain"] {
      let sorted = QueryTrial.sorted(Array(objects), by: attribute).compactMap { object in
        object.value(attribute).map { (id: object.id, value: $0) }
      }
      func expect<Range: RangeExpression<Bound> & Sendable>(
        _ range: Range, from lower: Bound?, to upper: Bound?, isClosed: Bool
      ) throws {
        let lower = try lower.flatMap(Bound.attributeCodec.encode)
        let upper = try upper.flatMap(Bound.attributeCodec.encode)
        let expected = sorted.filter { _, value in
          if case .double(let number) = value, number.isNaN { return false }
          if let lower, QueryTrial.precede(value, lower) { return false }
          guard let upper else { return true }
          return isClosed
            ? !QueryTrial.precede(upper, value) : QueryTrial.precede(value, upper)
        }
        let found = try objects.where(attribute, in: range)
        #expect(found.map(\.id) == expected.map(\.id), "\(type) \(range)")
        #expect(found.count == expected.count)
        // Of a range that no index knows each value is asked, and a String has an order of its own.
        guard type != .string else { return }
        let others = try objects.where(attribute, in: Strange(range))
        #expect(others.map(\.id) == expected.map(\.id), "\(type) \(range)")
      }
      for lower in bounds {
        try expect(lower..., from: lower, to: nil, isClosed: true)
        try expect(...lower, from: nil, to: lower, isClosed: true)
        try expect(..<lower, from: nil, to: lower, isClosed: false)
        for upper in bounds where lower <= upper {
          try expect(lower...upper, from: lower, to: upper, isClosed: true)
          try expect(lower..<upper, from: lower, to: upper, isClosed: false)
        }
      }
    }
  }

  @Test func `finds a NaN by itself, and in no range`() throws {
    let graph = try #require(try QueryTrial(.double, commits: 1, seed: 4).graphs.last)
    let objects = try graph.objects("Item")
    for attribute in ["indexed", "plain"] {
      #expect(try objects.where(attribute, equals: .double(.nan)).count > 0)
      for object in try objects.where(attribute, in: (-Double.infinity)...) {
        guard case .double(let value) = object.value(attribute) else { continue }
        #expect(!value.isNaN)
      }
    }
  }
}

/// A range that no index knows.
private struct Strange<Base: RangeExpression & Sendable>: RangeExpression, Sendable {
  let base: Base

  init(_ base: Base) { self.base = base }

  func relative<C: Collection>(to collection: C) -> Range<Base.Bound> where C.Index == Base.Bound {
    base.relative(to: collection)
  }

  func contains(_ element: Base.Bound) -> Bool { base.contains(element) }
}
