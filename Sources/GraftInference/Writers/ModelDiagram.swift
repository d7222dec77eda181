// Entities are in columns: the roots are in the first, and each other entity is as near to them as
// its relationships allow. Within its column each entity is moved towards the middle of its related
// entities, in a few rounds (Sugiyama, Tagawa and Toda, 1981), so that few lines cross.

import Graft

/// Draws the entities of a model and their relationships as SVG.
struct ModelDiagram {
  private struct Node {
    var entity: EntityDescription
    var kinds: [String]
    var layer = 0
    var order = 0.0
    var x = 0
    var y = 0
  }

  private struct Edge {
    var from: Int
    var to: Int
    var relationship: RelationshipDescription
  }

  private static let width = 184
  private static let height = 42
  private static let columnGap = 64
  private static let rowGap = 14
  /// The most entities below one another.
  private static let rowLimit = 14

  private var nodes: [Node] = []
  private var edges: [Edge] = []
  private let facts: [String: EntityFacts]

  init(_ model: InferredModel) {
    facts = model.facts
    var numbers: [String: Int] = [:]
    for entity in model.entities where entity.superentity == nil {
      numbers[entity.name] = nodes.count
      nodes.append(Node(entity: entity, kinds: []))
    }
    for entity in model.entities {
      guard let parent = entity.superentity, let number = numbers[parent] else { continue }
      nodes[number].kinds.append(entity.name)
      numbers[entity.name] = number
    }
    for entity in model.entities {
      for relationship in entity.relationships {
        guard let from = numbers[entity.name], let to = numbers[relationship.destination] else {
          continue
        }
        edges.append(Edge(from: from, to: to, relationship: relationship))
      }
    }
    makeLayers(from: model.roots.compactMap { $0.flatMap { numbers[$0.entity] } })
    arrange()
  }

  // MARK: Places

  private mutating func makeLayers(from roots: [Int]) {
    var layers = Array(repeating: Int.max, count: nodes.count)
    var waiting = roots.isEmpty ? Array(nodes.indices.prefix(1)) : roots
    for root in waiting { layers[root] = 0 }
    while !waiting.isEmpty {
      let node = waiting.removeFirst()
      for edge in edges where edge.from == node && layers[edge.to] == .max {
        layers[edge.to] = layers[node] + 1
        waiting.append(edge.to)
      }
    }
    for index in nodes.indices { nodes[index].layer = layers[index] == .max ? 0 : layers[index] }
  }

  private mutating func arrange() {
    var columns: [[Int]] = []
    for layer in 0...(nodes.map(\.layer).max() ?? 0) {
      columns.append(nodes.indices.filter { nodes[$0].layer == layer })
    }
    for column in columns {
      for (order, node) in column.enumerated() { nodes[node].order = Double(order) }
    }
    for _ in 0..<4 {
      for column in columns {
        let middles = column.map { node in (node, middle(of: node)) }
        for (order, pair) in middles.sorted(by: { ($0.1, $0.0) < ($1.1, $1.0) }).enumerated() {
          nodes[pair.0].order = Double(order) - Double(column.count) / 2
        }
      }
    }
    var x = 8
    for column in columns {
      let sorted = column.sorted { (nodes[$0].order, $0) < (nodes[$1].order, $1) }
      var start = 0
      while start < sorted.count {
        let part = sorted[start..<min(start + Self.rowLimit, sorted.count)]
        for (row, node) in part.enumerated() {
          nodes[node].x = x
          nodes[node].y = 8 + row * (Self.height + Self.rowGap)
        }
        start += part.count
        x += Self.width + (start < sorted.count ? Self.columnGap / 2 : Self.columnGap)
      }
    }
    center()
  }

  /// Returns the middle of a node's related nodes.
  private func middle(of node: Int) -> Double {
    var orders: [Double] = []
    for edge in edges where edge.from != edge.to {
      if edge.from == node { orders.append(nodes[edge.to].order) }
      if edge.to == node { orders.append(nodes[edge.from].order) }
    }
    return orders.isEmpty ? nodes[node].order : orders.reduce(0, +) / Double(orders.count)
  }

  /// Moves each column to the middle of the drawing.
  private mutating func center() {
    let bottom = nodes.map(\.y).max() ?? 0
    for (_, column) in Dictionary(grouping: nodes.indices, by: { nodes[$0].x }) {
      let space = (bottom - (column.map { nodes[$0].y }.max() ?? 0)) / 2
      for node in column { nodes[node].y += space }
    }
  }

  // MARK: SVG

  var svg: String {
    let width = (nodes.map(\.x).max() ?? 0) + Self.width + 48
    let height = (nodes.map(\.y).max() ?? 0) + Self.height + 24
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\" viewBox=\"0 0 \(width) \(height)\" role=\"group\" aria-label=\"Diagram of the entities\">",
      "<defs><marker id=\"one\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerUnits=\"userSpaceOnUse\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M1 1 7 4 1 7\" style=\"fill:none\"/></marker>",
      "<marker id=\"many\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerUnits=\"userSpaceOnUse\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0 8 4 0 8Z\"/></marker></defs>",
    ]
    lines += edges.map(path)
    lines += nodes.map(box)
    return lines.joined(separator: "\n") + "\n</svg>"
  }

  private func path(of edge: Edge) -> String {
    let (from, to) = (nodes[edge.from], nodes[edge.to])
    let (top, bottom) = (from.y + Self.height / 2, to.y + Self.height / 2)
    let right = from.x + Self.width
    let way: String
    if edge.from == edge.to {
      way =
        "M\(right) \(top - 9) C\(right + 34) \(top - 22) \(right + 34) \(top + 22) \(right) \(top + 9)"
    } else if to.x > from.x {
      let bend = max(30, (to.x - right) / 2)
      way = "M\(right) \(top) C\(right + bend) \(top) \(to.x - bend) \(bottom) \(to.x) \(bottom)"
    } else if to.x == from.x {
      way = "M\(right) \(top) C\(right + 44) \(top) \(right + 44) \(bottom) \(right) \(bottom)"
    } else {
      let end = to.x + Self.width
      let bend = max(30, (from.x - end) / 2)
      way =
        "M\(from.x) \(top + 8) C\(from.x - bend) \(top + 8) \(end + bend) \(bottom + 8) \(end) \(bottom + 8)"
    }
    let isReference = edge.relationship.policies.export == .identifier
    let evidence = edge.relationship.userInfo[ModelAnnotations.evidence].map { ": \($0)" } ?? ""
    let title = "\(from.entity.name).\(edge.relationship.name)\(evidence)"
    return
      "<path class=\"edge\(isReference ? " reference" : "")\" data-from=\"\(HTML.id(from.entity.name))\""
      + " data-to=\"\(HTML.id(to.entity.name))\" marker-end=\"url(#\(edge.relationship.isToMany ? "many" : "one"))\""
      + " d=\"\(way)\"><title>\(HTML.escaped(title))</title></path>"
  }

  private func box(of node: Node) -> String {
    let count = facts[node.entity.name].map { "\($0.objectCount)" } ?? ""
    let identity = node.entity.identity?.joined(separator: " + ") ?? "no identity"
    let kinds = node.kinds.isEmpty ? "" : " · \(node.kinds.count) kinds"
    return """
      <a class="node" href="#\(HTML.id(node.entity.name))" aria-label="\(HTML.escaped("\(node.entity.name), \(count) objects, \(identity)"))">
      <rect x="\(node.x)" y="\(node.y)" width="\(Self.width)" height="\(Self.height)" rx="7"/>
      <text x="\(node.x + 10)" y="\(node.y + 18)"><tspan font-weight="600">\(HTML.escaped(Self.short(node.entity.name, 20)))</tspan> <tspan class="faint">\(count)</tspan></text>
      <text class="faint" x="\(node.x + 10)" y="\(node.y + 34)">\(HTML.escaped(Self.short(identity + kinds, 28)))</text>
      </a>
      """
  }

  private static func short(_ text: String, _ limit: Int) -> String {
    text.count > limit ? text.prefix(limit - 1) + "…" : text
  }
}
