/** Sandboxes of all functions; each costs about 20 MB and 70 ms of processor time to start. */
export const MOST_SANDBOXES = 24
export const MOST_PER_FUNCTION = 10
