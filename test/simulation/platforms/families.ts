/** Names of ends, each with what became of it, as text. */
export type Results = ReadonlyMap<string, string>

/** Fewer names are listed one by one. */
const FEWEST = 4

/** The beginnings of a name: up to each dash, dot and comma. */
const beginningsOf = (name: string): string[] => [...name.matchAll(/[-.,]/g)].map(({ index }) => name.slice(0, index + 1))

/** The shortest beginning of a name such that all names with it have one result. */
const familyOf = (name: string, results: Results): string =>
  beginningsOf(name).find((beginning) => {
    const members = [...results].filter(([other]) => other.startsWith(beginning))
    return members.length >= FEWEST && new Set(members.map(([, result]) => result)).size === 1
  }) ?? name

/** The names of each result. Names that begin alike and have the same result are listed as one family: `pipeline-* (404)`. */
export const inFamilies = (results: Results): ReadonlyMap<string, readonly string[]> => {
  const byResult = Map.groupBy(results.keys(), (name) => results.get(name) ?? '')
  return new Map(
    [...byResult].map(([result, names]) => {
      const families = Map.groupBy(names, (name) => familyOf(name, results))
      return [result, [...families].map(([family, members]) => (members.length > 1 ? `${family}* (${members.length})` : family))]
    }),
  )
}
