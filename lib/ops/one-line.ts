/** Without control characters, and not blank. */
export const ONE_LINE = /^(?!\s*$)\P{Cc}+$/u
