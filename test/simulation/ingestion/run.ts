import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Shown } from '#lib/uploader/service.ts'
import { LANE_BYTES, MOST_LANES } from '#shared/uploads/rules/lanes.ts'
import { leadFaults, uploadFaults, writeFaults } from './findings.ts'
import { killWhileItRuns } from './kills.ts'
import { startReference } from './reference.ts'
import type { FileSpec } from './rows.ts'
import { type Surroundings, startSurroundings } from './surroundings.ts'
import { followUpload, sendFile } from './uploads.ts'
import { expectAgain, writeFile } from './write-file.ts'
import { watchWrites } from './written-items.ts'

/** Where the runs print, and the signal that ends them. */
export interface Circumstances {
  readonly print: (line: string) => void
  readonly signal?: AbortSignal
}

const using = async <T>(options: Parameters<typeof startSurroundings>[0], run: (surroundings: Surroundings) => Promise<T>): Promise<T> => {
  const surroundings = await startSurroundings(options)
  try {
    return await run(surroundings)
  } finally {
    await surroundings.stop()
  }
}

const told = ({ rows, created, updated, unchanged, rejected }: Shown, began: number): string => {
  const seconds = (performance.now() - began) / 1000
  const counts = `${created} created, ${updated} updated, ${unchanged} unchanged, ${rejected} rejected`
  return `${rows} rows in ${seconds.toFixed(1)} s, ${Math.round(rows / seconds)} a second: ${counts}`
}

const dialsOf = async ({ service }: Surroundings): Promise<number> => (await service().dials()).calls.length

interface Plain {
  readonly faults: string[]
  /** Peak memory of the CSV worker, in MiB. */
  readonly peak: number
}

/** Sends a file twice. The second time changes nothing, and writes no lead. */
export const ingestTwice = (spec: FileSpec, { print, signal }: Circumstances): Promise<Plain> =>
  using({ signal }, async (surroundings) => {
    const { service, folder, limits, functionsPid } = surroundings
    const file = join(folder, 'leads.csv')
    const reference = startReference()
    const expected = await writeFile(file, spec, reference)
    const pid = await functionsPid()
    const began = performance.now()
    const first = await followUpload(service, await sendFile(service(), file), { print, signal })
    const peak = await surroundings.peakMemory()
    print(told(first, began))
    print(`the worker had at most ${Math.round(peak)} MiB in memory`)
    const faults = [...(await uploadFaults(first, expected)), ...(await leadFaults(service(), reference.leads))]
    if (pid !== (await functionsPid())) faults.push("the functions' process died")

    const [written, dials] = [await watchWrites(limits.engineUrl()), await dialsOf(surroundings)]
    const beganAgain = performance.now()
    const again = await followUpload(service, await sendFile(service(), file), { print, signal })
    print(`the same file again: ${told(again, beganAgain)}`)
    faults.push(...(await uploadFaults(again, expectAgain(spec, reference))), ...writeFaults(await written()))
    if (again.created + again.updated > 0) faults.push('the same file again was news')
    if ((await dialsOf(surroundings)) !== dials) faults.push('calls were made')
    return { faults: [...faults, ...limits.report(print)], peak }
  })

/** Sends a file to measure its memory. @returns the worker's peak, in MiB */
export const memoryFor = (spec: FileSpec, { print, signal }: Circumstances): Promise<number> =>
  using({ signal }, async ({ service, folder, peakMemory }) => {
    const file = join(folder, 'leads.csv')
    await writeFile(file, spec, startReference())
    const began = performance.now()
    const upload = await followUpload(service, await sendFile(service(), file), { print, signal })
    const peak = await peakMemory()
    print(`for comparison, ${told(upload, began)}; at most ${Math.round(peak)} MiB`)
    return peak
  })

export interface KillPlan {
  readonly kills: number
  /** Seed of the random moments. */
  readonly seed: number
  /** Whether to skip the wait for a lease to end, by a restart of the service at a later time. */
  readonly isHurried: boolean
}

/** Sends a file while the functions are killed again and again, and all events come twice. @returns what is wrong */
export const ingestUnderFire = (spec: FileSpec, plan: KillPlan, { print, signal }: Circumstances): Promise<string[]> =>
  using({ signal, isTwice: true }, async (surroundings) => {
    const { service, folder, limits } = surroundings
    const file = join(folder, 'leads.csv')
    const reference = startReference()
    const expected = await writeFile(file, spec, reference)
    const began = performance.now()
    const id = await sendFile(service(), file)
    const kills = await killWhileItRuns(surroundings, { ...plan, id, rows: spec.rows, signal, print })
    const upload = await followUpload(service, id, { print, signal })
    const lanes = Math.min(MOST_LANES, Math.ceil((await stat(file)).size / LANE_BYTES))
    print(`with ${kills} kills, everything twice, in ${lanes} lanes: ${told(upload, began)}`)
    const faults = [...(await uploadFaults(upload, expected)), ...(await leadFaults(service(), reference.leads))]
    faults.push(...limits.report(print))
    return kills === plan.kills ? faults : [...faults, `the functions were killed ${kills} times only`]
  })
