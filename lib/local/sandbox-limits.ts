/** Sandboxes of all functions; each costs about 20 MB and 70 ms of processor time to start. */
export const MOST_SANDBOXES = 24
export const MOST_PER_FUNCTION = 10
/** Sandboxes of background functions, for whose answer nobody waits. The other sandboxes stay free for requests. */
export const MOST_IN_BACKGROUND = 14

/** Every time limit of a function is this many times longer here, unless its own limits are asked for: a slow machine is not a faulty function. */
export const TIME_LIMIT_FACTOR = 20
