/** The most leads, and the most stopped phones, that a dry run remembers. The oldest are forgotten first. */
export const MOST_REMEMBERED = 20_000
