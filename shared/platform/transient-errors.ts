/** A failure that may pass when the same thing is tried again. Neither the request nor this code is at fault. */
export class TransientError extends Error {}

/** Others wrote to the same item again and again. The write was not made. */
export class RaceLostError extends TransientError {}

/** The table takes no more at the moment: in all, or for one of the keys. The SDK has tried it three times. */
export class TableBusyError extends TransientError {}

/** An engine did only a part of its work, again and again. */
export class UnavailableError extends TransientError {}
