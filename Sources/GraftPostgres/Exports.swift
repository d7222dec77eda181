// One import is enough: it brings the database and its graph.
@_exported public import Graft
@_exported public import GraftDatabase
