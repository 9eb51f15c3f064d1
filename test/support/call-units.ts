/** Most write units of a call in our own protocol: its dial, and the reports of its answer and its outcome. */
export const MOST_DIAL = 11
export const MOST_AFTER_DIAL = 10
/** With another report of its end. */
export const MOST_WITH_END = 11
