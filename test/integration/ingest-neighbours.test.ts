import { describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { leadsByExternalId } from '#shared/leads/pointer-store.ts'
import { now } from '#shared/platform/clock.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { setClock } from '#test/support/clock.ts'
import { created, leadNow, newPhone } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'
import { uploadWorld } from '#test/support/upload-world.ts'
import { countsOf, countsRows, csv, ingested, sent, uploadNow, work } from '#test/support/uploads.ts'
import { OWNER } from '#test/support/world.ts'

const { world, watch } = uploadWorld()

/** Rows of one batch, those left over without a lead. */
const batch = (...rows: string[]): string[] => [...rows, ...Array.from({ length: 250 - rows.length }, () => ',A,,,,')]
const batches = (...all: string[][]): string => csv(all.flatMap((rows) => batch(...rows)))

type Command = Parameters<typeof countsRows>[0]
const writes = (text: string) => (command: Command) => /Transact|Put/.test(command.name) && JSON.stringify(command.input).includes(text)

const leadOf = async (name: string) => {
  const ids = await leadsByExternalId(OWNER, name)
  expect(ids).toHaveLength(1)
  return leadNow(ids[0]!)
}

describe('rows of neighbouring batches', () => {
  it('rows of neighbouring batches are handled in order when they concern the same lead', async () => {
    const [phone, other] = [newPhone(), newPhone()]
    const file = batches(
      [`same,A,${phone},a@example.com,NY,`],
      [`same,B,,,CA,`, `other,C,${other},,NY,`, `sharing,D,${phone},a@example.com,NY,`],
    )
    expect(countsOf(await ingested(file))).toMatchObject({ rows: 500, created: 2, updated: 1, unchanged: 0, rejected: 497 })
    expect(await leadOf('same')).toMatchObject({ us_state: 'CA', metadata: { first_name: 'B' }, phone_number: phone })
  })

  it('a row may reuse a phone and email that an earlier batch gave up', async () => {
    const [phone, next] = [newPhone(), newPhone()]
    await created({ external_id: 'leaving', phone_number: phone, email: 'left@example.com' })
    const upload = await ingested(batches([`leaving,A,${next},,,`], [`coming,B,${phone},left@example.com,NY,`]))
    expect(countsOf(upload)).toMatchObject({ rows: 500, created: 1, updated: 1, rejected: 498 })
    expect(await leadOf('coming')).toMatchObject({ phone_number: phone, email: 'left@example.com' })
  })
})

describe('a run that dies', () => {
  it.each([
    { when: 'before a batch is counted', rows: 0, isLast: countsRows },
    { when: 'before the next one is written', rows: 250, isLast: writes('EXT#1#next-250') },
  ])('a run that dies $when has each row counted once', async ({ rows, isLast }) => {
    const [name, next] = [`dying-${rows}`, `next-${rows}`]
    const file = batches([`${name},A,${newPhone()},,,`], [`${name},B,,,,`, `${next},C,${newPhone()},,,`])
    const { upload_id, message } = await sent(file)
    expect(await watch().killed(isLast, () => work([message]))).toBe(true)
    expect((await uploadNow(upload_id)).rows).toBe(rows)
    setClock(now() + 2 * MINUTE)
    await dispatchDue()
    await world().queues.take('CALL_QUEUE_URL')
    await work((await world().queues.take('INGESTION_QUEUE_URL')).map((text) => JSON.parse(text)))
    expect(countsOf(await uploadNow(upload_id))).toMatchObject({ rows: 500, created: 2, updated: 1, unchanged: 0, rejected: 497 })
    expect(await leadOf(name)).toMatchObject({ metadata: { first_name: 'B' } })
    setClock(NOON)
  })
})
