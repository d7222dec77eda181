import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct InverseTests {
  func entities(
    _ heroes: [RelationshipDescription], _ teams: [RelationshipDescription]
  ) -> [EntityDescription] {
    [
      EntityDescription(name: "Hero", attributes: [.make("name")], relationships: heroes),
      EntityDescription(name: "Team", relationships: teams),
      EntityDescription(name: "Band", superentity: "Team"),
    ]
  }

  @Test(arguments: [("members", "team"), ("members", nil), (nil, "team")] as [(String?, String?)])
  func `an inverse named at one end or at both joins the two`(
    ofHero: String?, ofTeam: String?
  ) throws {
    let model = try GraphModel(
      entities: entities(
        [.make("rival", to: "Hero"), .make("team", to: "Team", inverse: ofHero)],
        [.make("members", to: "Hero", many: true, inverse: ofTeam)]))
    #expect(try model.relationship("Hero", "team").inverse == 0)
    #expect(try model.relationship("Team", "members").inverse == 1)
    #expect(try model.relationship("Band", "members").inverse == 1)
    #expect(try model.relationship("Hero", "rival").inverse == nil)
  }

  @Test func `a relationship may be its own inverse`() throws {
    let model = try GraphModel(
      entities: [
        EntityDescription(
          name: "Hero",
          relationships: [.make("friends", to: "Hero", many: true, inverse: "friends")])
      ])
    #expect(try model.relationship("Hero", "friends").inverse == 0)
  }

  @Test func `an inverse that does not match is refused with the reason`() {
    #expect(
      errors(
        entities([.make("team", to: "Team", inverse: "member")], [.make("members", to: "Hero")]))
        == "Hero.team: inverse \"member\" is unknown in Team, did you mean \"members\"?")
    #expect(
      errors(entities([.make("rival", to: "Hero", inverse: "name")], []))
        == "Hero.rival: inverse \"name\" is an attribute of Hero, expected a relationship")
    #expect(
      errors(entities([.make("team", to: "Team", inverse: "of")], [.make("of", to: "Team")]))
        == "Hero.team: inverse \"of\" leads to Team, expected Hero")
    #expect(
      errors(entities([.make("team", to: "Band", inverse: "of")], [.make("of", to: "Hero")]))
        == "Hero.team: inverse \"of\" is declared by Team, so the relationship must lead to Team")
    #expect(
      errors(
        entities(
          [.make("a", to: "Team", inverse: "of"), .make("b", to: "Team", inverse: "of")],
          [.make("of", to: "Hero", inverse: "a")]))
        == "Hero.b: inverse \"of\" names \"a\" as its own inverse, expected \"b\"")
    #expect(
      errors(
        entities(
          [.make("a", to: "Team", inverse: "of"), .make("b", to: "Team", inverse: "of")],
          [.make("of", to: "Hero")]))
        == "Hero.b: inverse \"of\" is the inverse of \"a\" already; each has one at most")
  }
}
