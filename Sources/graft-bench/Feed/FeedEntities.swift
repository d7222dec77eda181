/// What a tweet's text mentions: its hashtags, and now and then a link, a user or a picture.
struct FeedEntities {
  let number: Int
  let textLength: Int
  let hashtags: [String]

  func write(to json: inout JSONBytes, using random: inout SplitMix64) {
    json.raw(#"{"hashtags":["#)
    for (position, hashtag) in hashtags.enumerated() {
      let start = textLength + position
      json.raw(position > 0 ? #",{"text":""# : #"{"text":""#)
      json.text(hashtag)
      json.raw(#"","indices":[\#(start),\#(start + hashtag.count + 1)]}"#)
    }
    json.raw(#"],"symbols":[],"urls":["#)
    if random.percent(25) { writeLink(to: &json) }
    json.raw(#"],"user_mentions":["#)
    if random.percent(40) {
      writeMention(of: FeedUser.drawn(at: number, using: &random), to: &json)
    }
    json.raw("]")
    if random.percent(15) { writePicture(to: &json) }
    json.raw("}")
  }

  private func writeLink(to json: inout JSONBytes) {
    let code = String(number &* 2_654_435_761 & 0xFFFF_FFFF, radix: 36)
    json.raw(
      #"""
      {"url":"http:\/\/t.example\/\#(code)",\#
      "expanded_url":"http:\/\/news.example\/2014\/08\/\#(code)\/article.html",\#
      "display_url":"news.example\/2014\/08\/\#(code)\u2026",\#
      "indices":[\#(textLength),\#(textLength + 22)]}
      """#)
  }

  private func writeMention(of user: FeedUser, to json: inout JSONBytes) {
    json.raw(#"{"screen_name":"\#(user.screenName)","name":""#)
    json.text(user.name)
    json.raw(
      #"""
      ","id":\#(user.identifier),"id_str":"\#(user.identifier)",\#
      "indices":[3,\#(4 + user.screenName.count)]}
      """#)
  }

  private func writePicture(to json: inout JSONBytes) {
    let identifier = 505_000_000_000_000_000 + number * 17
    json.raw(
      #"""
      ,"media":[{"id":\#(identifier),"id_str":"\#(identifier)",\#
      "indices":[\#(textLength),\#(textLength + 22)],\#
      "media_url":"http:\/\/pbs.twimg.example\/media\/\#(identifier).jpg",\#
      "media_url_https":"https:\/\/pbs.twimg.example\/media\/\#(identifier).jpg",\#
      "type":"photo","sizes":{"medium":{"w":600,"h":399,"resize":"fit"},\#
      "small":{"w":340,"h":226,"resize":"fit"},"thumb":{"w":150,"h":150,"resize":"crop"},\#
      "large":{"w":1024,"h":682,"resize":"fit"}}}]
      """#)
  }
}
