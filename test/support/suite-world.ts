import { beforeEach } from '@jest/globals'
import { startBucketEngine } from './bucket-engine.ts'
import { setClock } from './clock.ts'
import { duringSuite } from './during-suite.ts'
import { startEngine } from './engine.ts'
import { startQueueEngine } from './queue-engine.ts'
import { type ReceiverOptions, startReceiver } from './receiver.ts'
import { NOON } from './samples.ts'
import { startWorld } from './world.ts'

/** A world for the suite. Each test starts at noon. */
export const suiteWorld = (...options: Parameters<typeof startWorld>) => {
  const world = duringSuite(
    () => startWorld(...options),
    (started) => started.stop(),
  )
  beforeEach(() => setClock(NOON))
  return world
}

/** A receiver for the suite. */
export const suiteReceiver = (respond?: ReceiverOptions['respond']) =>
  duringSuite(
    () => startReceiver(respond ? { respond } : {}),
    (receiver) => receiver.close(),
  )

/** The service's table for the suite. */
export const suiteTable = () => duringSuite(startEngine, (engine) => engine.stop())

/** Queues for the suite, one for each of these environment variables. */
export const suiteQueues = (variables: readonly string[]) =>
  duringSuite(
    () => startQueueEngine(variables),
    (queues) => queues.stop(),
  )

/** A bucket for the suite. */
export const suiteBucket = () => duringSuite(startBucketEngine, (bucket) => bucket.stop())
