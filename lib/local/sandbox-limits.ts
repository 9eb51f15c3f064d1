/** Most sandboxes of all functions. Each takes about 20 MB, and 70 ms of processor time to start. */
export const MOST_SANDBOXES = 24
export const MOST_PER_FUNCTION = 10
/** Most sandboxes of background functions, whose answer nobody waits for. The others stay free for requests. */
export const MOST_IN_BACKGROUND = 14

/** Factor for every time limit of a function, unless `--time-limits` is set. A slow machine must not look like a faulty function. */
export const TIME_LIMIT_FACTOR = 20
