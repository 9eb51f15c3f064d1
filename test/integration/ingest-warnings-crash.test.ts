import { describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { now } from '#shared/platform/clock.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { setClock } from '#test/support/clock.ts'
import { created, newPhone } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'
import { uploadWorld } from '#test/support/upload-world.ts'
import { aSource, countsRows, csv, sent, uploadNow, work } from '#test/support/uploads.ts'

const { world, watch } = uploadWorld()

describe('a run that dies before its rows are counted', () => {
  it.each(['create', 'upsert'] as const)('the next run counts the warnings that a run in peace counts: mode %s', async (mode) => {
    const source = await aSource({ name: mode, mode, lookup_column: mode === 'create' ? null : 'Lead ID' })
    const { phone_number } = await created()
    const other = newPhone()
    const rows = [`${mode}-1,A,${phone_number},a@example.com,NY,`, `${mode}-2,B,${other},b@example.com,NY,`]
    const { upload_id, message } = await sent(csv([...rows, `${mode}-3,C,${other},c@example.com,NY,`]), { source })
    expect(await watch().killed(countsRows, () => work([message]))).toBe(true)
    setClock(now() + 2 * MINUTE)
    await dispatchDue()
    await world().queues.take('CALL_QUEUE_URL')
    await work((await world().queues.take('INGESTION_QUEUE_URL')).map((text) => JSON.parse(text)))
    // The first row beside the lead that was there, and the third beside the second, but not the second beside the third.
    expect(await uploadNow(upload_id)).toMatchObject({
      status: 'done',
      created: 3,
      warned_open_lead: 2,
      warned_lines: { open_lead: [2, 4] },
    })
    setClock(NOON)
  })
})
