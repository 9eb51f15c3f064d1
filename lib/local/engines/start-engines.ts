import { join } from 'node:path'
import { startEventBridge } from '../events/bridge.ts'
import type { Shutdown } from '../processes/shutdown.ts'
import { localPlace } from '../template/arn.ts'
import { startBuckets } from './buckets.ts'
import { startDynamodb } from './dynamodb.ts'
import { startKeys } from './keys.ts'
import { startQueues } from './queues.ts'
import { startSecrets } from './secrets.ts'

interface EngineOptions {
  readonly directory: string
  /** False: no data outlives the engines. */
  readonly durable: boolean
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly shutdown: Shutdown
  readonly log: (line: string) => void
}

/** Starts all engines in parallel. `shutdown` stops each of them, even if another one fails to start. */
export const startEngines = async ({ directory, durable, environment, shutdown, log }: EngineOptions) => {
  const durableFile = (name: string) => (durable ? join(directory, name) : undefined)
  const stopping = async <Engine extends { stop(): Promise<void> }>(starting: Promise<Engine>): Promise<Engine> => {
    const engine = await starting
    shutdown.add(() => engine.stop())
    return engine
  }
  const [dynamodb, queues, buckets, secrets, keys, bridge] = await Promise.all([
    // Always a file, even for a temporary run: an in-memory database cannot get the index for its streams.
    stopping(startDynamodb({ file: join(directory, 'dynamodb'), environment, log })),
    stopping(startQueues(localPlace.account)),
    stopping(startBuckets(join(directory, 's3'), durableFile('s3-port'))),
    stopping(startSecrets(durableFile('secrets.json'))),
    stopping(startKeys(durableFile('keys.json'))),
    stopping(startEventBridge().then((started) => ({ ...started, stop: started.close }))),
  ])
  return { dynamodb, queues, buckets, secrets, keys, bridge }
}

export type Engines = Awaited<ReturnType<typeof startEngines>>
