/** Most lead sources of an owner that are counted by name. They bound the items that a request for statistics reads. */
export const MOST_SOURCES = 50

/** Characters of a lead source that are counted. Longer ones with the same beginning count together. */
export const LONGEST_SOURCE = 60

/** The name under which all further lead sources of an owner are counted. */
export const OTHER_SOURCES = '(other)'

/** The name under which a lead source is counted, if the owner does not have too many. Empty: without a source. */
export const sourceName = (source: string): string => source.trim().slice(0, LONGEST_SOURCE).trim().toWellFormed()

/** The name under which a source is counted. @param known the sources that are counted by name */
export const countedSource = (source: string, known: ReadonlySet<string>): string =>
  source === '' || known.has(source) ? source : OTHER_SOURCES
