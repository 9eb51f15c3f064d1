/** Without control characters, and not blank. */
export const ONE_LINE = /^\P{Cc}*[^\s\p{Cc}]\P{Cc}*$/u
