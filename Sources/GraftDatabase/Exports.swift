// One import is enough: whoever imports this module uses the graph that is in the database.
@_exported public import Graft
