// One import is enough: whoever imports this module uses the database and its graph.
@_exported public import Graft
@_exported public import GraftDatabase
