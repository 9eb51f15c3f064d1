/** In turns: the first of each owner, then the second of each, and so on; of every owner `most` at the most, in their order. */
export const inTurns = <T extends { readonly owner: number }>(entries: readonly T[], most: number): T[] => {
  const rounds: T[][] = []
  const seen = new Map<number, number>()
  for (const entry of entries) {
    const turn = seen.get(entry.owner) ?? 0
    seen.set(entry.owner, turn + 1)
    if (turn >= most) continue
    rounds[turn] ??= []
    rounds[turn].push(entry)
  }
  return rounds.flat()
}
