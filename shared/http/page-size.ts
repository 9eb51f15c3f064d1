export const DEFAULT_SIZE = 50
export const MAX_SIZE = 100

const INTEGER = /^\s*[+-]?\d+(_\d+)*\s*$/

/** @returns undefined when the text is not a whole number */
export const wholeNumberIn = (text: string): number | undefined => (INTEGER.test(text) ? Number(text.replaceAll('_', '')) : undefined)

/** The size of a page, for the query parameter `page_size`: the default one for nonsense, the largest one for more. */
export const pageSizeFor = (text: string): number => {
  const size = wholeNumberIn(text)
  return size !== undefined && size > 0 ? Math.min(size, MAX_SIZE) : DEFAULT_SIZE
}
