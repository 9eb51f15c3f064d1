import { describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { getPerson } from '#shared/leads/person-store.ts'
import { now } from '#shared/platform/clock.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { readPositionList } from '#shared/positions/position-list.ts'
import { countPositions } from '#shared/positions/rules/pages.ts'
import { setClock } from '#test/support/clock.ts'
import { created, newPhone, patched, times } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'
import { uploadWorld } from '#test/support/upload-world.ts'
import { countsOf, countsRows, csv, sent, uploadNow, work } from '#test/support/uploads.ts'
import { OWNER } from '#test/support/world.ts'

const { world, watch } = uploadWorld(
  { name: 'by-id' },
  { name: 'by-phone', lookup_column: 'Phone' },
  { name: 'by-email', lookup_column: 'Email' },
  { name: 'updates', mode: 'update' },
  { name: 'creates', mode: 'create', lookup_column: null },
)

/** Has an upload of which somebody has died read to its end. */
const finished = async (upload_id: string) => {
  setClock(now() + 2 * MINUTE)
  await dispatchDue()
  await world().queues.take('CALL_QUEUE_URL')
  await work((await world().queues.take('INGESTION_QUEUE_URL')).map((text) => JSON.parse(text)))
  return uploadNow(upload_id)
}

const count = async () => countPositions(await readPositionList(OWNER))
describe('a row of a run that died', () => {
  const CREATED = { rows: 1, created: 1, reengaged: 0, updated: 0, unchanged: 0, rejected: 0 }
  it.each([
    { source: 'by-id', change: () => ({ external_id: 'renamed' }) },
    { source: 'by-id', change: () => ({ external_id: 'renamed', phone_number: newPhone() }) },
    { source: 'by-phone', change: () => ({ phone_number: newPhone() }) },
    { source: 'by-email', change: () => ({ email: 'renamed@example.com' }) },
    { source: 'creates', change: () => ({ phone_number: newPhone() }) },
  ])('a row of a dead run, of the source $source, makes no second lead when its lead has changed since', async ({ source, change }) => {
    const [phone, name, before] = [newPhone(), `${source}-${Math.random()}`, await count()]
    const { upload_id, message } = await sent(csv([`${name},A,${phone},${name}@example.com,NY,`]), { source })
    expect(await watch().killed(countsRows, () => work([message]))).toBe(true)
    const [lead] = (await getPerson(OWNER, phone)).leads
    await patched(lead!.id, change())
    expect(countsOf(await finished(upload_id))).toEqual(CREATED)
    expect((await count()) - before).toBe(1)
    setClock(NOON)
  })

  it('a row of a run that died counts as an update when its lead has changed since', async () => {
    const { id, phone_number } = await created({ external_id: 'was' })
    const { upload_id, message } = await sent(csv([`was,A,${phone_number},,CA,`]), { source: 'updates' })
    await watch().killed(countsRows, () => work([message]))
    await patched(id, { external_id: 'is' })
    expect(await finished(upload_id)).toMatchObject({ rows: 1, updated: 1, rejected: 0 })
    setClock(NOON)
  })
})

describe('the search for rows that were handled before', () => {
  it('the search for rows that were handled before runs only after a run has died, and reads many leads at once', async () => {
    const phones = Array.from({ length: 40 }, newPhone)
    await times(40, (index) => created({ phone_number: phones[index] }))
    const rows = phones.map((phone, index) => `seek-${index},A,${phone},,NY,`)
    const { upload_id, message } = await sent(csv(rows), { source: 'by-id' })
    const first = await watch().readsOf(() => watch().killed(30, () => work([message])))
    expect((await uploadNow(upload_id)).rows).toBe(0)
    const again = await watch().readsOf(() => finished(upload_id))
    expect(countsOf(await uploadNow(upload_id))).toMatchObject({ rows: 40, created: 40 })
    expect(first).toEqual({ 'QueryCommand EXT': 40, 'BatchGetCommand PERSON': 1, 'BatchGetCommand PHONE': 1 })
    // Leads are read: those that rows may have written, the others of their phones for the warnings of the first run, those of the other rows'
    // warnings, and those that the sweep finds due.
    expect(again).toEqual({ 'QueryCommand EXT': 40, 'BatchGetCommand PERSON': 1, 'BatchGetCommand PHONE': 2, 'BatchGetCommand LEAD': 4 })
  })
})
