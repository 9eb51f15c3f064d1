import { describe, expect, it } from '@jest/globals'
import { handler as placeCall } from '#functions/workers/place-call.ts'
import { agentCalls } from '#test/support/agent-calls.ts'
import { created, newPhone } from '#test/support/lead-requests.ts'
import { as, withTableLimits } from '#test/support/table-limits.ts'
import { uploadWorld } from '#test/support/upload-world.ts'
import { countsOf, csv, handed, sent, uploadNow, work } from '#test/support/uploads.ts'
import { consumeAll } from '#test/support/world.ts'

const { world } = uploadWorld()
const { queued } = agentCalls(world)

describe('a file and calls that share a table', () => {
  it('calls are made without a failed try while a file fills the table, and the file is read later, each row once', async () => {
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
      const failed: number[] = []
      for (const call of calls) failed.push(...(await as('calls', () => consumeAll(placeCall, [call]))))
      expect(failed).toEqual([])
      await reading
    })
    expect(world().agent.requests).toHaveLength(CALLS)
    const upload = await uploadNow(upload_id)
    expect(upload).toMatchObject({ status: 'done', error: null })
    expect(countsOf(upload)).toEqual({ rows: ROWS, created: ROWS, reengaged: 0, updated: 0, unchanged: 0, rejected: 0 })
    expect(refused['file']).toBeGreaterThan(0)
    process.stdout.write(`Refused requests: ${JSON.stringify(refused)}\n`)
  })
})
