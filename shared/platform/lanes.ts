/**
 * Runs `handle` on all items, `lanes` at a time. After a failure it begins no more. @throws the first failure, when all running ones have
 * ended
 */
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
