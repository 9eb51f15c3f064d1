import { describe, expect, it } from '@jest/globals'
import { handler as placeCall } from '#functions/workers/place-call.ts'
import { TableBusyError } from '#shared/platform/transient-errors.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { agentCalls } from '#test/support/agent-calls.ts'
import { passTime } from '#test/support/clock.ts'
import { created, newPhone } from '#test/support/lead-requests.ts'
import { as, withTableLimits } from '#test/support/table-limits.ts'
import { uploadWorld } from '#test/support/upload-world.ts'
import { countsOf, csv, handed, sent, uploadNow, work } from '#test/support/uploads.ts'
import { consumeAll } from '#test/support/world.ts'

const { world, watch } = uploadWorld()
const { queued } = agentCalls(world)

describe('a file and calls that share a table', () => {
  /** As the queue of calls does: a message that fails comes back after ten seconds, and is a dead letter after ten tries. */
  const triesOf = async (call: string): Promise<number> => {
    for (let tries = 1; tries <= 10; tries++) {
      if ((await consumeAll(placeCall, [call])).length === 0) return tries
      passTime(10 * SECOND)
    }
    return Number.POSITIVE_INFINITY
  }

  it('a call that the table is too busy for is placed by the same run, as soon as the table takes it', async () => {
    await created()
    const calls = await queued()
    let refused = 0
    const busy = (name: string) => (name === 'TransactWriteCommand' && refused++ < 1 ? new TableBusyError('Busy.') : undefined)
    await watch().failing(busy, async () => expect(await consumeAll(placeCall, calls)).toEqual([]))
    expect(refused).toBeGreaterThan(1)
    expect(world().agent.requests.splice(0)).toHaveLength(1)
  })

  it('each call is made once while a file fills the table, and the file is read later, each row once', async () => {
    const CALLS = 6
    const ROWS = 150
    await Promise.all(Array.from({ length: CALLS }, () => created()))
    const calls = await queued()
    expect(calls).toHaveLength(CALLS)
    const { upload_id, message } = await sent(csv(Array.from({ length: ROWS }, (_, index) => `shared-${index},P,${newPhone()},,NY,`)))
    const refused = await withTableLimits({ isCold: false, most: { write: 300 } }, async () => {
      const reading = as('file', async () => {
        await work([message])
        while ((await uploadNow(upload_id)).status === 'processing') await handed([{ upload_id }])
      })
      const tries: number[] = []
      for (const call of calls) tries.push(await as('calls', () => triesOf(call)))
      await reading
      expect(Math.max(...tries)).toBeLessThanOrEqual(10)
    })
    expect(new Set(world().agent.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(CALLS)
    const upload = await uploadNow(upload_id)
    expect(upload).toMatchObject({ status: 'done', error: null })
    expect(countsOf(upload)).toEqual({ rows: ROWS, created: ROWS, reengaged: 0, updated: 0, unchanged: 0, rejected: 0 })
    expect(refused['file']).toBeGreaterThan(0)
    process.stdout.write(`Refused requests: ${JSON.stringify(refused)}\n`)
  })
})
