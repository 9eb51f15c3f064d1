import { consumedUnits } from '#shared/platform/table/consumed-units.ts'

/** Capacity units, as the engine counts them. */
export interface Units {
  readonly read: number
  readonly write: number
}

export const unitsOf = async (run: () => Promise<unknown>): Promise<Units> => {
  const before = { ...consumedUnits }
  await run()
  return { read: consumedUnits.read - before.read, write: consumedUnits.write - before.write }
}
