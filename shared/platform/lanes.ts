/**
 * Runs `handle` on each item, at most `lanes` at a time. After a failure it starts no more.
 * @returns the results in the order of the items
 * @throws the first failure, when all that were running have ended
 */
export const inLanes = async <T, R>(lanes: number, items: Iterable<T>, handle: (item: T) => Promise<R>): Promise<R[]> => {
  const left = [...items].entries()
  const results: R[] = []
  const failures: unknown[] = []
  const lane = async (): Promise<void> => {
    while (failures.length === 0) {
      const next = left.next()
      if (next.done) return
      const [index, item] = next.value
      try {
        results[index] = await handle(item)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  if (failures.length > 0) throw failures[0]
  return results
}

/** As `inLanes`, but a failure does not stop the rest. @throws the first failure, at the end */
export const allInLanes = async <T>(lanes: number, items: Iterable<T>, handle: (item: T) => Promise<unknown>): Promise<void> => {
  const failures: unknown[] = []
  await inLanes(lanes, items, (item) => handle(item).catch((error: unknown) => void failures.push(error)))
  if (failures.length > 0) throw failures[0]
}
