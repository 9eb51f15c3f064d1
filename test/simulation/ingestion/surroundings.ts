import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDynamodb } from '#lib/local/engines/dynamodb.ts'
import { type Service, startService } from '#test/support/service.ts'

/** It is night wherever leads are, and stays that for hours: nobody is called meanwhile. */
const NIGHT = Date.parse('2026-11-20T06:30:00Z')

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
  try {
    const engine = await startDynamodb({ file: join(folder, 'table'), environment: process.env, log: () => {} })
    steps.push(engine.stop)
    let [at, begun] = [NIGHT, performance.now()]
    const start = (): Promise<Service> => {
      begun = performance.now()
      const flags = ['--data', data, '--port', '0', '--now', new Date(at).toISOString(), ...(isTwice ? ['--twice'] : [])]
      return startService(flags, { environment: { DYNAMODB_ENDPOINT: engine.url }, ...(signal && { signal }) })
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
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The most memory that a process has had in RAM so far, in MiB; undefined where the system does not tell. */
export const peakMemory = async (pid: number): Promise<number | undefined> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
}
