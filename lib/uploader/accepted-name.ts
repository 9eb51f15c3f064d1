const MOST_CHARACTERS = 255

/** A file name that the service accepts: letters, digits and a few signs. */
export const acceptedName = (name: string): string => {
  const fitting = name.replace(/[^a-zA-Z0-9_. -]/g, '_')
  // Cut at the beginning: the ending tells the type of file.
  return (
    fitting
      .slice(-MOST_CHARACTERS)
      .replace(/^[^a-zA-Z0-9]+/, '')
      .trim() || 'leads.csv'
  )
}
