/** Runs `handle` on all of the items, `lanes` at a time; after a failure begins no more. @throws the first failure, when all are at rest */
export const inLanes = async <T>(lanes: number, items: readonly T[], handle: (item: T) => Promise<void>): Promise<void> => {
  const left = items.values()
  const failures: unknown[] = []
  const lane = async (): Promise<void> => {
    for (const item of left) {
      if (failures.length > 0) return
      await handle(item).catch((error: unknown) => void failures.push(error))
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  if (failures.length > 0) throw failures[0]
}
