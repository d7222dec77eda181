/// A short text in one of the feed's manners of writing.
struct FeedText {
  let text: String
  let spelling: JSONBytes.Spelling
  let language: String

  /// Composes a text of roughly the given number of characters: about half in Latin script, the
  /// rest Japanese, a part of that in escapes.
  init(length: Int, using random: inout SplitMix64) {
    let manner = random.below(100)
    let isJapanese = manner >= 55
    spelling = manner >= 88 ? .escaped : .plain
    language = isJapanese ? "ja" : "en"
    var text = ""
    var count = 0
    while count < (isJapanese ? length / 2 : length) {
      let piece = random.pick(isJapanese ? Vocabulary.phrases : Vocabulary.words)
      if count > 0 { text += Self.separator(isJapanese: isJapanese, using: &random) }
      text += piece
      count += piece.count + 1
    }
    self.text = text
  }

  private static func separator(isJapanese: Bool, using random: inout SplitMix64) -> String {
    switch random.below(40) {
    case 0: "\n"
    case 1: " \"\(random.pick(Vocabulary.words))\" "
    case 2: " " + random.pick(Vocabulary.emoji) + " "
    default: isJapanese ? "、" : " "
    }
  }
}
