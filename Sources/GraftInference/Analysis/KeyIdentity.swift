import Graft

/// Decides whether the keys of dictionaries identify the objects that are found under them: the currencies in
/// `{"DE": {"currencies": {"EUR": {…}}}, "JP": {"currencies": {"JPY": {…}}}}`.
struct KeyIdentity {
  let draft: EntityDraft
  let role: IdentitySearch.Role

  /// The evidence that the keys are identities; nil if they are none.
  ///
  /// The keys of many dictionaries mean the same only where they are identifiers.
  var finding: Agreement? {
    let sample = draft.keyIdentity
    guard draft.isAlwaysKeyed, !sample.records.isEmpty,
      sample.records.allSatisfy({ $0.differing == 0 })
    else { return nil }
    let finding = Agreement(sample, of: [], keyCount: 1)
    let isUnique =
      role == .collection && draft.places.count == 1
      || finding.repeated == 0 && sample.records.count >= leastKeys
    let isRepeated =
      finding.repeated > 0 && finding.haveOwnContents && areNoNotes && !haveSameKeys
    return isUnique || isRepeated ? finding : nil
  }

  /// Whether most dictionaries have the same keys: three quarters of all keys or more, on average.
  ///
  /// They are at one place, as the opening hours of shops, which have the weekdays. Or they have one name at several places,
  /// and their keys are words.
  ///
  /// Such keys name places in the object around them, even if all shops open at the same time. Identifiers, like those of
  /// the currencies of countries, differ from dictionary to dictionary.
  var haveSameKeys: Bool {
    let keyCount = draft.keys.sketch.distinctCount
    let isOneName =
      draft.places.count == 1
      || draft.aliases.count == 1
        && draft.keys.examples.allSatisfy { $0.allSatisfy(\.isLetter) && !DataKeys.isCode($0) }
    return isOneName && draft.isAlwaysKeyed && draft.dictionaryCount > 1
      && draft.objectCount * 4 >= draft.dictionaryCount * keyCount * 3
  }

  /// The fewest keys of several dictionaries that differ by more than chance.
  ///
  /// Many objects have one each: their dictionaries must be several, as the keys of one are always different. Small numbers,
  /// such as minutes, are counted in each of a few.
  private var leastKeys: Int {
    if role == .collection {
      return draft.keys.formats.contains(.integer) && draft.keys.longest <= Self.countedBytes
        ? .max : Self.keysOfOne
    }
    return draft.form == .object && draft.dictionaryCount > 2 ? Self.keysOfMany : .max
  }

  /// The fewest keys that differ by more than chance in dictionaries of one object, and of several objects.
  private static let (keysOfOne, keysOfMany) = (8, 20)

  /// The most bytes of a number that is counted.
  private static let countedBytes = 3

  /// Whether the values are more than notes on the object around, or than their keys: `{"inputs": {"core": "core"}}`.
  private var areNoNotes: Bool {
    let sample = draft.keyIdentity
    let echoes = zip(sample.values, sample.records).count { key, record in
      record.content == ShapeSurvey.content(ofString: key)
    }
    return echoes * 2 < sample.records.count
      && !(draft.form == .value && draft.aliases.contains { Self.notes.contains($0.last ?? "") })
  }

  /// Names of dictionaries that describe the object around them.
  ///
  /// Equal values in them are not one object: two packages may depend on the same version.
  private static let notes: Set<String> = [
    "dependency", "label", "annotation", "header", "engine", "env", "environment", "attribute",
    "tag",
  ]
}
