/** What fails now and may go well later, as it is: no fault of what was asked, and none of this code. */
export class TransientError extends Error {}

/** Others wrote to the same again and again. What was to be written is not. */
export class RaceLostError extends TransientError {}

/** An engine did only a part of what it was asked, again and again. */
export class UnavailableError extends TransientError {}
