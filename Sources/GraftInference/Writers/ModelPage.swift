import Foundation
import Graft
import GraftExport

extension InferredModel {
  /// Returns the model as a page of HTML that needs nothing from a network: a diagram of its
  /// entities, facts about each, and the findings.
  ///
  /// - Parameter title: The title of the page, such as the name of the document.
  /// - Returns: The page.
  /// - Complexity: O(*n*) in the number of properties and findings.
  public func htmlPage(title: String) -> String { ModelPage(self, title: title).text }
}

/// Writes a model that was inferred as a page of HTML.
///
/// Without scripts the page shows all entities one below the other, as in print; with them, the one that is selected.
struct ModelPage {
  private let model: InferredModel
  private let title: String
  private let diagram: ModelDiagram
  private let findingsByEvidence: [String: [InferenceFinding]]

  init(_ model: InferredModel, title: String) {
    self.model = model
    self.title = title
    diagram = ModelDiagram(model)
    findingsByEvidence = Dictionary(grouping: model.findings, by: \.evidence)
  }

  var text: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
    <title>\(HTML.escaped(title))</title>
    <style>
    \(Self.style)
    </style>
    </head>
    <body>
    <header>
    <h1>\(HTML.escaped(title))</h1>
    <p>\(HTML.escaped(summary))</p>
    </header>
    <main>
    <nav class="diagram" aria-label="Entities">
    \(diagram.svg)
    <p class="legend">— objects inside · ┄ by identifier · filled end: to many. Tab or arrow keys select an entity.</p>
    </nav>
    <div class="entities">
    \(sections)
    </div>
    </main>
    \(doubts)
    \(losses)
    <script>
    \(Self.script)
    </script>
    </body>
    </html>

    """
  }

  private var summary: String {
    let roots = model.roots.compactMap(\.self).map { root in
      "\(root.entity) at \(root.path.steps.isEmpty ? "$" : root.path.description)"
    }
    let count = model.entities.count
    return "\(count) \(count == 1 ? "entity" : "entities"); an import begins with "
      + AnnotationReader.enumeration(of: roots, with: "and")
      + (model.isVerified ? ". Counts are exact." : ". Counts are estimated from one reading.")
  }

  // MARK: Entities

  private var sections: String { model.entities.map(section).joined(separator: "\n") }

  private func section(of entity: EntityDescription) -> String {
    let facts = model.facts[entity.name] ?? entity.superentity.flatMap { model.facts[$0] }
    var lines = ["<section id=\"\(HTML.id(entity.name))\" tabindex=\"-1\">"]
    var heading = HTML.escaped(entity.name)
    if let parent = entity.superentity {
      heading += " <small>is a \(HTML.link(to: parent))</small>"
    }
    lines.append("<h2>\(heading)</h2>")
    let evidence = entity.userInfo[ModelAnnotations.evidence] ?? ""
    let identity = entity.identity.map { "identity \($0.joined(separator: " + ")): " } ?? ""
    lines.append("<p>\(HTML.escaped(identity + evidence))</p>")
    if entity.superentity == nil, let facts {
      let places = facts.places.prefix(Self.placeLimit).map { "<code>\(HTML.escaped($0))</code>" }
      let more = facts.places.count - places.count
      lines.append(
        "<p class=\"places\">\(places.joined(separator: " "))\(more > 0 ? " and \(more) more" : "")</p>"
      )
    }
    lines += attributes(of: entity, facts)
    lines += relationships(of: entity)
    let subentities = model.entities.filter { $0.superentity == entity.name }
    if !subentities.isEmpty {
      lines.append(
        "<p>kinds: \(subentities.map { HTML.link(to: $0.name) }.joined(separator: ", "))</p>")
    }
    lines.append("</section>")
    return lines.joined(separator: "\n")
  }

  /// The most places of an entity that are listed.
  private static let placeLimit = 12

  private func attributes(of entity: EntityDescription, _ facts: EntityFacts?) -> [String] {
    guard !entity.attributes.isEmpty else { return [] }
    let rows = entity.attributes.map { attribute in
      let fact = facts?.attributes[attribute.name]
      let cells = [
        "<th scope=\"row\">\(HTML.escaped(attribute.name))</th>",
        "<td>\(attribute.type.rawValue)\(attribute.isOptional ? "" : " <b title=\"required\">!</b>")</td>",
        "<td><code>\(HTML.escaped(AnnotationWriter.annotations(of: attribute)["JSONKeyPath"] ?? attribute.name))</code></td>",
        "<td>\(HTML.escaped(fact?.presence ?? ""))</td>",
        "<td>\(HTML.escaped(fact?.range ?? ""))</td>",
        "<td>\((fact?.samples ?? []).map { "<q>\(HTML.escaped($0))</q>" }.joined(separator: " "))</td>",
      ]
      return "<tr>\(cells.joined())</tr>"
    }
    return [
      "<table><thead><tr><th>attribute<th>type<th>in JSON<th>present<th>range<th>for example</tr></thead><tbody>"
    ] + rows + ["</tbody></table>"]
  }

  private func relationships(of entity: EntityDescription) -> [String] {
    guard !entity.relationships.isEmpty else { return [] }
    let rows = entity.relationships.map { relationship in
      let isByIdentifier = relationship.policies.export == .identifier
      let noted = relationship.userInfo[ModelAnnotations.evidence]
      let finding = noted.flatMap { findingsByEvidence[$0] }?.first {
        $0.subject.hasPrefix("\(entity.superentity ?? entity.name).")
      }
      let evidence = noted ?? (isByIdentifier ? "" : "objects inside")
      let cells = [
        "<th scope=\"row\">\(HTML.escaped(relationship.name))</th>",
        "<td>\(relationship.isToMany ? "to many" : "to one") \(HTML.link(to: relationship.destination))</td>",
        "<td><code>\(HTML.escaped(AnnotationWriter.annotations(of: relationship)["JSONKeyPath"] ?? relationship.name))</code></td>",
        "<td>\(HTML.escaped(evidence))</td>",
        "<td>\(isByIdentifier ? finding?.certainty.rawValue ?? "likely" : "certain")</td>",
      ]
      return "<tr>\(cells.joined())</tr>"
    }
    return [
      "<table><thead><tr><th>relationship<th>leads<th>in JSON<th>evidence<th>certainty</tr></thead><tbody>"
    ] + rows + ["</tbody></table>"]
  }

  // MARK: Findings

  private var doubts: String { list("Doubts", model.findings.filter { $0.certainty == .guess }) }

  private var losses: String {
    list("What an export writes otherwise", model.findings.filter { $0.certainty == .loss })
  }

  private func list(_ heading: String, _ findings: [InferenceFinding]) -> String {
    guard !findings.isEmpty else { return "" }
    let rows = findings.map {
      "<tr><th scope=\"row\">\(HTML.escaped($0.subject))</th><td>\(HTML.escaped($0.evidence))</td></tr>"
    }
    return
      "<details open><summary>\(heading) (\(findings.count))</summary><table><tbody>\(rows.joined(separator: "\n"))</tbody></table></details>"
  }

  // MARK: Looks

  private static let style = """
    :root { color-scheme: light dark; --ground: #fff; --text: #1d1d1f; --faint: #6e6e73; --line: #c7c7cc;
      --box: #f5f5f7; --mark: #0a5fd6; --part: #e3edfb; }
    @media (prefers-color-scheme: dark) { :root { --ground: #161618; --text: #f2f2f5; --faint: #a1a1a8; --line: #48484e;
      --box: #232327; --mark: #6cb0ff; --part: #1d3556; } }
    * { box-sizing: border-box; }
    body { margin: 0; padding: 1rem 1.5rem; background: var(--ground); color: var(--text);
      font: 15px/1.45 system-ui, sans-serif; }
    h1 { margin: 0; font-size: 1.5rem; } h2 { margin: 0 0 .3rem; font-size: 1.2rem; }
    header p, .legend, small, .places { color: var(--faint); margin: .2rem 0 .8rem; }
    main { display: grid; gap: 1.5rem; grid-template-columns: minmax(0, 1fr); }
    .diagram { overflow: auto; max-height: 70vh; border: 1px solid var(--line); border-radius: 8px; padding: .5rem; }
    .diagram svg { display: block; font: 13px system-ui, sans-serif; }
    .node rect { fill: var(--box); stroke: var(--line); } .node text { fill: var(--text); }
    .node .faint { fill: var(--faint); font-size: 11px; }
    .node:hover rect, .node:focus rect { stroke: var(--mark); stroke-width: 2; }
    .node:focus { outline: none; }
    .node.near rect { fill: var(--part); } .node.selected rect { stroke: var(--mark); stroke-width: 3; fill: var(--part); }
    .edge { fill: none; stroke: var(--faint); stroke-width: 1.2; opacity: .7; } .edge.reference { stroke-dasharray: 5 4; }
    .edge.near { stroke: var(--mark); stroke-width: 2.2; opacity: 1; }
    marker path { fill: var(--faint); stroke: var(--faint); fill: context-stroke; stroke: context-stroke; }
    section { margin-bottom: 1.6rem; } section:focus { outline: none; }
    .scripted section { display: none; } .scripted section.selected { display: block; }
    table { border-collapse: collapse; width: 100%; margin: .4rem 0 1rem; font-size: .92em; }
    th, td { text-align: left; vertical-align: top; padding: .25rem .7rem .25rem 0; border-bottom: 1px solid var(--line);
      overflow-wrap: anywhere; }
    thead th { color: var(--faint); font-weight: normal; white-space: nowrap; } tbody th { font-weight: 600; }
    code { font: .9em ui-monospace, monospace; } a { color: var(--mark); } q { color: var(--faint); }
    summary { font-size: 1.1rem; font-weight: 600; cursor: pointer; margin: .6rem 0; }
    @media print { :root { --ground: #fff; --text: #000; --faint: #444; --line: #999; --box: #fff; --part: #fff; }
      .diagram { max-height: none; overflow: visible; border: 0; } .diagram svg { width: 100%; height: auto; }
      .scripted section { display: block; } section, tr { break-inside: avoid; } .legend { display: none; } }
    """

  private static let script = """
    document.body.classList.add('scripted');
    const nodes = [...document.querySelectorAll('.node')];
    const edges = [...document.querySelectorAll('.edge')];
    function select(name, moves) {
      const id = name && document.getElementById(name) ? name : nodes[0]?.getAttribute('href').slice(1);
      for (const section of document.querySelectorAll('section')) section.classList.toggle('selected', section.id === id);
      const near = new Set();
      for (const edge of edges) {
        const isNear = edge.dataset.from === id || edge.dataset.to === id;
        edge.classList.toggle('near', isNear);
        if (isNear) { near.add(edge.dataset.from); near.add(edge.dataset.to); }
      }
      for (const node of nodes) {
        const own = node.getAttribute('href').slice(1);
        node.classList.toggle('selected', own === id);
        node.classList.toggle('near', near.has(own) && own !== id);
        if (own === id && moves) node.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      }
    }
    function show(name) { history.replaceState(null, '', '#' + name); select(name, true); }
    addEventListener('hashchange', () => select(location.hash.slice(1), true));
    select(location.hash.slice(1), true);
    scrollTo(0, 0);
    document.addEventListener('click', event => {
      const link = event.target.closest('a[href^="#"]');
      if (link) { event.preventDefault(); show(link.getAttribute('href').slice(1)); }
    });
    function center(node) { const box = node.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }
    document.querySelector('.diagram').addEventListener('keydown', event => {
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      const here = document.activeElement;
      if (!way || !here.classList.contains('node')) return;
      const [x, y] = center(here);
      let best, least = Infinity;
      for (const node of nodes) {
        const [dx, dy] = [center(node)[0] - x, center(node)[1] - y];
        const along = dx * way[0] + dy * way[1], across = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
        if (node !== here && along > 5 && along + 3 * across < least) { least = along + 3 * across; best = node; }
      }
      if (best) { event.preventDefault(); best.focus(); show(best.getAttribute('href').slice(1)); }
    });
    """
}

/// Escapes for text in HTML.
enum HTML {
  /// Returns the text with the special characters of HTML escaped.
  static func escaped(_ text: String) -> String { Markup.escaped(text, also: ["'"]) }

  /// Returns the name of an entity's part of the page.
  static func id(_ entity: String) -> String { escaped("e-" + entity) }

  /// Returns a link to an entity's part of the page.
  static func link(to entity: String) -> String {
    "<a href=\"#\(id(entity))\">\(escaped(entity))</a>"
  }
}
