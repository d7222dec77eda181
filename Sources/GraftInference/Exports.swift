// One import is enough: whoever imports this module uses the model that is inferred.
@_exported public import Graft
