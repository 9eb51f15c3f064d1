const MOST_CHARACTERS = 255

/** A name of which only the ending can be read. */
const ENDING_ALONE = /^_+(\.[a-zA-Z0-9]+)$/

/** A file name that the service accepts: letters without accents, digits and a few signs. */
export const acceptedName = (name: string): string => {
  const fitting = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-zA-Z0-9_. -]/g, '_')
    .replace(ENDING_ALONE, 'leads$1')
  // Cut at the beginning: the ending tells the type of file.
  return (
    fitting
      .slice(-MOST_CHARACTERS)
      .replace(/^[^a-zA-Z0-9]+/, '')
      .trim() || 'leads.csv'
  )
}
