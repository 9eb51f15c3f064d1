import { setTimeout as sleep } from 'node:timers/promises'
import type { Operation } from '#lib/reference/hot-keys/operations.ts'
import { startBucketEngine } from '#test/support/bucket-engine.ts'
import { startReceiver } from '#test/support/receiver.ts'
import { startWorld } from '#test/support/world.ts'
import { limitClient } from '../limits/limit-client.ts'
import { type KeyUnits, newUnitCounter } from './unit-counter.ts'

/** Makes each operation of the target scale on engines of its own, and counts the units of each key. Only once per process. */
export const countKeyUnits = async (): Promise<Record<Operation, KeyUnits>> => {
  const receiver = await startReceiver({ respond: ({ path }) => ({ status: path === '/fails' ? 500 : 200 }) })
  const [world, bucket] = await Promise.all([startWorld(), startBucketEngine()])
  try {
    const [{ client }, { aSource }, { growOwner }, { countOperations }] = await Promise.all([
      import('#shared/platform/table/client.ts'),
      import('#test/support/uploads.ts'),
      import('./owner.ts'),
      import('./count-operations.ts'),
    ])
    const counting = newUnitCounter()
    limitClient({ clients: [client], loads: counting.counter, now: Date.now, sleep }).begin()
    await aSource()
    await growOwner(receiver.url)
    return await countOperations(world, counting)
  } finally {
    await Promise.all([world.stop(), bucket.stop(), receiver.close()])
  }
}
