export const ownerOf = ({ owner }: { readonly owner: number }): number => owner

/** Round robin: the first entry of each owner (`whose`), then the second of each, and so on. At most `most` per owner, in their order. */
export const inTurns = <T>(entries: readonly T[], most: number, whose: (entry: T) => number): T[] => {
  const rounds: T[][] = []
  const seen = new Map<number, number>()
  for (const entry of entries) {
    const turn = seen.get(whose(entry)) ?? 0
    seen.set(whose(entry), turn + 1)
    if (turn >= most) continue
    rounds[turn] ??= []
    rounds[turn].push(entry)
  }
  return rounds.flat()
}

/**
 * As `inTurns`, of all pages together, at most `limit`. Memory holds that many and one page. `whose`: who takes turns. A part comes before
 * its whole, such as a subscription before its owner.
 */
export const firstInTurns = async <T>(
  pages: AsyncIterable<readonly T[]>,
  limit: number,
  whose: readonly ((entry: T) => number)[],
): Promise<T[]> => {
  let first: T[] = []
  for await (const page of pages) {
    first = whose.reduce((entries, one) => inTurns(entries, limit, one), [...first, ...page]).slice(0, limit)
  }
  return first
}
