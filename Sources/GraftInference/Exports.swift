// Clients of this module need the types of the model too, so one import is enough.
@_exported public import Graft
