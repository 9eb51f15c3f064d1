/** White space, characters without width, and quotes. A spreadsheet may skip them before a formula. */
const PASSED_OVER = '[" \\v\\f\\u00a0\\u00ad\\u1680\\u180e\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u2064\\u3000\\ufeff\\ufffd]*'
/** Full-width signs count too: Japanese and Chinese spreadsheets accept them. */
const SIGNS = '[=+\\-@＝＋－＠]'
/**
 * The start of text that a spreadsheet would run as a formula. It may also follow what a spreadsheet takes for the end of a cell. That is a
 * semicolon where lists are separated by semicolons, a tab, or a line end.
 */
const RUN = new RegExp(`^(?=[\\t\\r])|(^|[;\\t\\r\\n])(?=${PASSED_OVER}${SIGNS})`, 'g')
const GUARD = new RegExp(`^'(?=[\\t\\r])|(^|[;\\t\\r\\n])'(?=${PASSED_OVER}${SIGNS})`, 'g')

/** A text that no spreadsheet runs as a formula. */
export const guarded = (text: string): string => text.replace(RUN, "$1'")

/** The text before `guarded`, for those who show it elsewhere. A text that had such a quote itself loses it. */
export const unguarded = (text: string): string => text.replace(GUARD, '$1')
