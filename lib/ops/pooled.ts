/** Runs `take` for each item, at most `width` at a time. @returns the results in the order of the items */
export const pooled = async <T, R>(items: readonly T[], width: number, take: (item: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = []
  const turns = items.entries()
  const work = async (): Promise<void> => {
    for (const [at, item] of turns) results[at] = await take(item)
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, work))
  return results
}
