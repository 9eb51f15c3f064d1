import { accessSync, constants } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { spawnMortal } from '../processes/mortal-process.ts'
import { findFreePort } from '../processes/ports.ts'
import { type Engine, LOOPBACK, StartFailure } from './engine.ts'

/** Milliseconds to wait for a database that the engine is using. */
const PATIENCE_MS = 5_000

/**
 * Adds an index to the engine's stream records. Without it, the engine scans all records at each write and at each
 * read, so every further record makes it slower.
 * @param file the database of a running engine
 * @returns why the index could not be made; undefined when it is there
 */
export const indexStreams = (file: string): string | undefined => {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { timeout: PATIENCE_MS })
    database.exec('CREATE INDEX IF NOT EXISTS _stream_records_in_order ON _stream_records (table_name, CAST(sequence_number AS INTEGER))')
    return undefined
  } catch (error) {
    return String(error)
  } finally {
    database?.close()
  }
}

export interface DynamodbEngine extends Engine {
  /** Resolves when the engine has ended; never for an engine that we did not start. */
  readonly ended: Promise<void>
}

interface DynamodbOptions {
  /** The database file; undefined: in memory. */
  readonly file: string | undefined
  /** The environment of this process. `DYNAMODB_ENDPOINT` names a running engine; `PATH` may contain one. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly log: (line: string) => void
}

const PORT_ATTEMPTS = 10

/** @throws StartFailure when there is no engine, or it does not start */
export const startDynamodb = async ({ file, environment, log }: DynamodbOptions): Promise<DynamodbEngine> => {
  const named = environment['DYNAMODB_ENDPOINT']
  if (named !== undefined && named !== '') return runningEngine(named)
  const program = findProgram(environment['PATH'] ?? '')
  let complaint = ''
  // The engine does not report a port that it chose itself, so we choose one. Another process may take the port first.
  for (let attempt = 0; attempt < PORT_ATTEMPTS; attempt++) {
    const started = await tryToStart(program, await findFreePort(), file, log)
    if (typeof started !== 'string') return started
    complaint = started
    if (!/already in use/i.test(complaint)) break
  }
  throw new StartFailure(`The DynamoDB engine ${program} does not start: ${complaint}`)
}

/** The engine, or its last message when it ended before it listened. */
const tryToStart = async (
  program: string,
  port: number,
  file: string | undefined,
  log: (line: string) => void,
): Promise<DynamodbEngine | string> => {
  const storage = file === undefined ? [] : ['--db-path', file]
  const engine = await spawnMortal(program, ['serve', '--host', LOOPBACK, '--port', String(port), ...storage])
  let lastLine = 'it ended without a message'
  const listening = await new Promise<boolean>((resolve) => {
    let open = 2
    for (const output of [engine.stdout, engine.stderr]) {
      const lines = createInterface({ input: output })
      lines.on('close', () => --open === 0 && resolve(false))
      lines.on('line', (line) => {
        if (/listening on/i.test(line)) return resolve(true)
        if (line.trim() === '') return
        lastLine = line.replace(/^error: /, '')
        log(`dynamodb: ${line}`)
      })
    }
  })
  if (!listening) return lastLine
  const why = file === undefined ? undefined : indexStreams(file)
  if (why !== undefined) log(`dynamodb: streams have no index, so they get slower as they grow: ${why}`)
  return { url: `http://${LOOPBACK}:${port}`, stop: engine.stop, ended: engine.exited }
}

/** Any answer proves that the engine runs. */
const runningEngine = async (endpoint: string): Promise<DynamodbEngine> => {
  try {
    await fetch(endpoint)
  } catch {
    throw new StartFailure(`No DynamoDB engine answers at ${endpoint}, which DYNAMODB_ENDPOINT names.`)
  }
  return { url: endpoint.replace(/\/$/, ''), stop: async () => {}, ended: new Promise(() => {}) }
}

/** The kind of a machine, as npm names it in the packages for it. */
interface Machine {
  readonly platform: string
  readonly arch: string
}

/** Machines for which npm has the engine. */
const PACKAGED = new Set(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'])

const noEngine = (machine: string): string => {
  const remedy = PACKAGED.has(machine)
    ? `Install its package @dynoxide/${machine} with npm ci, put`
    : 'npm has no package of one for this platform. Put'
  return `No DynamoDB engine was found for ${machine}. ${remedy} dynoxide on the PATH, or name a running engine in DYNAMODB_ENDPOINT, such as http://127.0.0.1:8000 for DynamoDB Local.`
}

/** The engine in this platform's package, else the first one on the search path. @throws StartFailure when there is none */
export const findProgram = (path: string, { platform, arch }: Machine = process): string => {
  const machine = `${platform}-${arch}`
  try {
    return createRequire(import.meta.url).resolve(`@dynoxide/${machine}/dynoxide`)
  } catch {
    const candidates = path.split(delimiter).map((folder) => join(folder, 'dynoxide'))
    const found = candidates.find(isExecutable)
    if (found !== undefined) return found
    throw new StartFailure(noEngine(machine))
  }
}

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
