import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDynamodb } from '#lib/local/engines/dynamodb.ts'
import { type Service, startService } from '#test/support/service.ts'

/** It is night wherever leads are, and stays that for hours: nobody is called meanwhile. */
const NIGHT = Date.parse('2026-11-20T06:30:00Z')

const WATCH = new URL('watch-memory.ts', import.meta.url).href

/** The local service on a table that can be looked into. */
export interface Surroundings {
  /** Of the table's engine. */
  readonly engineUrl: string
  /** For files. */
  readonly folder: string
  /** The service as it runs now. */
  service(): Service
  /** Starts the service anew on the same data, this much later by its clock, in milliseconds. */
  restartLater(milliseconds: number): Promise<void>
  /** Id of the functions' process; it changes when that dies. */
  functionsPid(): Promise<number>
  /** The most memory that the CSV worker has had so far, in MiB. */
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
    const engine = await startDynamodb({ file: join(folder, 'table'), environment: process.env, log: () => {} })
    steps.push(engine.stop)
    let [at, begun] = [NIGHT, performance.now()]
    const start = (): Promise<Service> => {
      begun = performance.now()
      const flags = ['--data', data, '--port', '0', '--now', new Date(at).toISOString(), ...(isTwice ? ['--twice'] : [])]
      const environment = { DYNAMODB_ENDPOINT: engine.url, MEMORY_FILE: memoryFile, NODE_OPTIONS: `--import=${WATCH}` }
      return startService(flags, { environment, ...(signal && { signal }) })
    }
    let service = await start()
    steps.push(() => service.end())
    return {
      engineUrl: engine.url,
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
