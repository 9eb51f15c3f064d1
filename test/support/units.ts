import { consumed } from '#shared/platform/table/capacity.ts'

/** Units of capacity, as the engine counts them. */
export interface Units {
  readonly read: number
  readonly write: number
}

export const unitsOf = async (run: () => Promise<unknown>): Promise<Units> => {
  const before = { ...consumed }
  await run()
  return { read: consumed.read - before.read, write: consumed.write - before.write }
}
