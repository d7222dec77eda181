import Foundation
import Graft

/// Records whether the same value of a member means the same object.
///
/// Like ``ValueSketch`` it keeps the least fingerprints of values, here with the objects that have them. A value in
/// the sample was in it from its first occurrence on, so its counts are complete.
struct IdentitySample {
  static let limit = 256
  /// The most members of an object that are kept for comparison.
  static let memberLimit = 96
  /// The most objects that are compared with those before them that have their value.
  private static let comparisonLimit = 16

  /// A member of an object: the fingerprints of its key and of its value.
  struct Member {
    var key: UInt64
    var content: UInt64
  }

  /// The objects that have one value.
  struct Record {
    /// The fingerprint of the first object's content.
    var content: UInt64
    /// The number of objects.
    var count = 1
    /// The number of objects whose content differs from the first one's.
    var differing = 0
    /// The number of objects that contradict those before them: another one has a key in common whose value differs.
    var contradicting = 0
    /// The number of objects that differ from the first one, but share its value under some key besides the identity's.
    var agreeing = 0
    /// The first object's members, in ascending order of their keys.
    var members: ContiguousArray<Member>
    /// The members that only later objects have, each with its first value, in the same order.
    var laterMembers: ContiguousArray<Member> = []

    /// Adds the members of another object that none before it has had.
    mutating func add(_ others: ContiguousArray<Member>) {
      var (index, first) = (0, 0)
      for other in others {
        while first < members.count, members[first].key < other.key { first += 1 }
        if first < members.count, members[first].key == other.key { continue }
        while index < laterMembers.count, laterMembers[index].key < other.key { index += 1 }
        if index < laterMembers.count, laterMembers[index].key == other.key { continue }
        guard laterMembers.count < IdentitySample.memberLimit else { return }
        laterMembers.insert(other, at: index)
      }
    }

    /// Returns the fingerprint of the first object's content apart from some members.
    func content(without keys: [UInt64]) -> UInt64 {
      guard !keys.isEmpty else { return content }
      return members.reduce(1) { content, member in
        keys.contains(member.key)
          ? content : Fingerprint.mix(Fingerprint.mix(content, member.key), member.content)
      }
    }
  }

  private(set) var values: ContiguousArray<UInt64> = []
  private(set) var records: ContiguousArray<Record> = []
  private(set) var isComplete = true
  /// The keys whose values differed in objects of one identity, with how often.
  private(set) var contradictedKeys: [UInt64: Int] = [:]

  /// The number of values whose objects differ in content, and the number of objects that differ from the first.
  private var differingValues = 0
  private var differingObjects = 0

  /// Whether objects with the same value differ so often that sampling can end.
  var isHopeless: Bool {
    (records.count >= 32 || differingObjects >= 256) && differingValues * 2 > records.count
  }

  /// The greatest value that the sample still keeps; greater ones are only counted.
  var bound: UInt64 { isComplete ? .max : values.last ?? .max }

  /// Returns whether a value is too great for the sample, so that it is only counted.
  @inline(__always)
  func skips(_ value: UInt64) -> Bool { value > bound }

  /// Returns whether a value is in the sample.
  func contains(_ value: UInt64) -> Bool {
    let position = ValueSketch.position(of: value, in: values)
    return position < values.count && values[position] == value
  }

  /// Notes an object that has a value.
  ///
  /// - Parameters:
  ///   - value: The fingerprint of the value.
  ///   - content: The fingerprint of the object.
  ///   - count: How many such objects there are.
  ///   - members: The object's members, as ``sorted(_:)`` returns them.
  mutating func insert(
    _ value: UInt64, content: UInt64, count: Int = 1, members: () -> ContiguousArray<Member>
  ) {
    let position = ValueSketch.position(of: value, in: values)
    if position < values.count, values[position] == value {
      records[position].count += count
      guard records[position].content != content else { return }
      noteDifference(at: position)
      // A few objects are as much evidence as all of them.
      if records[position].differing <= Self.comparisonLimit {
        note(members(), against: position)
      }
      return
    }
    values.insert(value, at: position)
    records.insert(Record(content: content, count: count, members: members()), at: position)
    trim()
  }

  /// Returns the members of an object that are compared, in ascending order of their keys.
  static func sorted(_ members: ContiguousArray<Member>) -> ContiguousArray<Member> {
    ContiguousArray(members.prefix(memberLimit).sorted { $0.key < $1.key })
  }

  private mutating func trim() {
    guard values.count > Self.limit else { return }
    values.removeLast()
    if records.removeLast().differing > 0 { differingValues -= 1 }
    isComplete = false
  }

  private mutating func noteDifference(at position: Int) {
    if records[position].differing == 0 { differingValues += 1 }
    records[position].differing += 1
    differingObjects += 1
  }

  /// Compares an object with those before it that have its value.
  private mutating func note(_ members: ContiguousArray<Member>, against position: Int) {
    var keys = Self.contradictions(members, records[position].members)
    if Self.commonKeyCount(members, records[position].members) - keys.count > 1 {
      records[position].agreeing += 1
    }
    keys += Self.contradictions(members, records[position].laterMembers)
    records[position].add(members)
    guard !keys.isEmpty else { return }
    records[position].contradicting += 1
    for key in keys where contradictedKeys.count < 256 || contradictedKeys[key] != nil {
      contradictedKeys[key, default: 0] += 1
    }
  }

  /// Returns the keys that both have with different values.
  private static func contradictions(
    _ first: ContiguousArray<Member>, _ second: ContiguousArray<Member>
  ) -> [UInt64] {
    var keys: [UInt64] = []
    var index = 0
    for member in first {
      while index < second.count, second[index].key < member.key { index += 1 }
      guard index < second.count, second[index].key == member.key else { continue }
      if second[index].content != member.content { keys.append(member.key) }
    }
    return keys
  }

  /// Returns the probability that objects with one value are equal by chance.
  ///
  /// For each repeated value it is the share of other values whose first object is equal to its own. Of
  /// `{"id": 1, "type": "a"}`, `{"id": 2, "type": "a"}` and a second `{"id": 1, "type": "a"}` all others are, and that
  /// the `id` 1 occurs twice proves nothing.
  ///
  /// - Parameter keys: The fingerprints of the members that have the values; none if these are no members of the objects.
  /// - Returns: The probability, from 0 to 1; 1 where no value is repeated.
  func chanceOfAgreement(on keys: [UInt64]) -> Double {
    let contents = records.map { $0.content(without: keys) }
    let counts = Dictionary(contents.map { ($0, 1) }, uniquingKeysWith: +)
    let others = Double(records.count - 1)
    return zip(records, contents).reduce(1) { chance, pair in
      let (record, content) = pair
      guard record.count > 1, records.count > 1, let count = counts[content] else { return chance }
      return chance * pow(Double(count - 1) / others, Double(record.count - 1))
    }
  }

  /// Returns whether most values have a content of their own, apart from some members.
  func hasOwnContents(besides keys: [UInt64]) -> Bool {
    let contents = Set(records.map { $0.content(without: keys) })
    return contents.count > 1 && records.count > 2 && contents.count * 2 > records.count
  }

  /// Adds the sample of another place.
  mutating func formUnion(_ other: IdentitySample) {
    isComplete = isComplete && other.isComplete
    differingObjects += other.differingObjects
    for (key, count) in other.contradictedKeys { contradictedKeys[key, default: 0] += count }
    for (value, record) in zip(other.values, other.records) {
      let position = ValueSketch.position(of: value, in: values)
      guard position < values.count, values[position] == value else {
        values.insert(value, at: position)
        records.insert(record, at: position)
        if record.differing > 0 { differingValues += 1 }
        trim()
        continue
      }
      if records[position].differing == 0, record.differing > 0 { differingValues += 1 }
      records[position].count += record.count
      records[position].differing += record.differing
      records[position].contradicting += record.contradicting
      records[position].agreeing += record.agreeing
      if records[position].content != record.content {
        noteDifference(at: position)
        note(record.members, against: position)
      }
      if !record.laterMembers.isEmpty { note(record.laterMembers, against: position) }
    }
  }

  /// Returns the content of a member of the first object that has a value; nil where it is not
  /// known.
  func content(of key: UInt64, at value: UInt64) -> UInt64? {
    let position = ValueSketch.position(of: value, in: values)
    guard position < values.count, values[position] == value else { return nil }
    return records[position].members.first { $0.key == key }?.content
  }

  /// The evidence of values that occur at two places.
  struct Evidence {
    /// The number of values that occur at both places.
    var common = 0
    /// The number of values whose objects are equal.
    var equal = 0
    /// The number of values whose objects share at least three keys, and have equal values under most of them.
    var similar = 0
    /// The number of values whose objects share a key with different values, and are not similar.
    var contradicting = 0
  }

  /// Returns the evidence of the values that occur at both places.
  func agreement(with other: IdentitySample) -> Evidence {
    var evidence = Evidence()
    var index = 0
    // A member that is an identity at each place is none for both together if one value means two
    // contents.
    let isNoneAnyway = isContradicted && other.isContradicted
    for (value, record) in zip(values, records) {
      while index < other.values.count, other.values[index] < value { index += 1 }
      guard index < other.values.count, other.values[index] == value else { continue }
      evidence.common += 1
      let match = other.records[index]
      if match.content == record.content {
        evidence.equal += 1
        continue
      }
      let differing = Self.contradictions(record.members, match.members).count
      let equal = Self.commonKeyCount(record.members, match.members) - differing
      if equal >= 3, differing == 0 || isNoneAnyway && equal > differing {
        evidence.similar += 1
      } else if differing > 0 {
        evidence.contradicting += 1
      }
    }
    return evidence
  }

  /// Whether a value means objects that contradict each other.
  private var isContradicted: Bool { records.contains { $0.contradicting > 0 } }

  private static func commonKeyCount(
    _ first: ContiguousArray<Member>, _ second: ContiguousArray<Member>
  ) -> Int {
    var (count, index) = (0, 0)
    for member in second {
      while index < first.count, first[index].key < member.key { index += 1 }
      if index < first.count, first[index].key == member.key { count += 1 }
    }
    return count
  }
}
