export const REASON_IN_LOG = "for a reason that the operator finds in the service's log."
