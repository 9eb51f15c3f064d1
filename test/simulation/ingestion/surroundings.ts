import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Service, startService } from '#test/support/service.ts'
import { type Limits, startLimits } from '../limits/start-limits.ts'

/** Night in all zones of the leads, for hours: nobody is called during a run. */
const NIGHT = Date.parse('2026-11-20T06:30:00Z')

const WATCH = new URL('watch-memory.ts', import.meta.url).href

/** The local service, with a table that tests can inspect. */
export interface Surroundings {
  /** In front of the table. */
  readonly limits: Limits
  /** Folder for files. */
  readonly folder: string
  /** The service that runs now. */
  service(): Service
  /** Restarts the service on the same data, with its clock this many milliseconds later. */
  restartLater(milliseconds: number): Promise<void>
  /** Process id of the functions. Changes when the process dies. */
  functionsPid(): Promise<number>
  /** Peak memory of the CSV worker so far, in MiB. */
  peakMemory(): Promise<number>
  stop(): Promise<void>
}

interface Start {
  readonly signal?: AbortSignal | undefined
  readonly isTwice?: boolean
}

export const startSurroundings = async ({ signal, isTwice = false }: Start = {}): Promise<Surroundings> => {
  const folder = await mkdtemp(join(tmpdir(), 'ingestion-'))
  const steps: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  const stop = async (): Promise<void> => {
    for (const step of steps.splice(0).toReversed()) await step()
  }
  const data = join(folder, 'data')
  const memoryFile = join(folder, 'memory')
  try {
    const limits = await startLimits({ file: join(folder, 'table') })
    steps.push(limits.stop)
    let [at, begun] = [NIGHT, performance.now()]
    const start = (): Promise<Service> => {
      begun = performance.now()
      const flags = ['--data', data, '--port', '0', '--now', new Date(at).toISOString(), ...(isTwice ? ['--twice'] : [])]
      const environment = { MEMORY_FILE: memoryFile, NODE_OPTIONS: `--import=${WATCH}` }
      return startService(flags, { environment, ...(signal && { signal }) })
    }
    let service = await start()
    steps.push(() => service.end())
    return {
      limits,
      folder,
      service: () => service,
      restartLater: async (milliseconds) => {
        await service.end()
        at = Math.round(at + performance.now() - begun + milliseconds)
        service = await start()
      },
      functionsPid: async () => Number(await readFile(join(data, 'functions.pid'), 'utf8').catch(() => '0')),
      peakMemory: async () => Number(await readFile(memoryFile, 'utf8')),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
