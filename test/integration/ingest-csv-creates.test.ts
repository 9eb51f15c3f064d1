import { afterEach, describe, expect, it } from '@jest/globals'
import { getLead } from '#shared/leads/lead-store.ts'
import { getPerson, replacePerson } from '#shared/leads/person-store.ts'
import { transact } from '#shared/platform/table/transactions.ts'
import { DAY } from '#shared/platform/values/durations.ts'
import { setClock } from '#test/support/clock.ts'
import { created, newPhone, patched, phoneOf } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'
import { uploadWorld } from '#test/support/upload-world.ts'
import { countsOf, csv, ingested } from '#test/support/uploads.ts'
import { OWNER } from '#test/support/world.ts'

const { world, watch } = uploadWorld({
  name: 'creates',
  mode: 'create',
  lookup_column: null,
  mapping: [
    { to: 'phone_number', from: 'Phone' },
    { to: 'email', from: 'Email' },
    { to: 'metadata.first_name', from: 'First Name' },
    { to: 'us_state', from: 'State' },
    { to: 'call_dnc', from: 'DNC' },
    { to: 'status', constant: 'OPEN' },
    { to: 'lead_source', constant: 'file' },
  ],
})
afterEach(async () => {
  await world().queues.take('CALL_QUEUE_URL')
  await world().queues.take('INGESTION_QUEUE_URL')
})

const counted = async (rows: readonly string[]) => countsOf(await ingested(csv(rows), { source: 'creates' }))
const counts = (some: Partial<Awaited<ReturnType<typeof counted>>>) => ({
  ...{ rows: 0, created: 0, reengaged: 0, updated: 0, unchanged: 0, rejected: 0 },
  ...some,
})
const leadsOf = async (phone: string) => (await getPerson(OWNER, phone)).leads.map(({ id }) => id)

describe('a file of a source that creates', () => {
  it('a file of a source that creates makes new leads, and reengages closed ones', async () => {
    const lost = await created({ email: 'lost@example.com', status: 'LOST' })
    const [phone, old] = [newPhone(), newPhone()]
    const closed = await created({ phone_number: old, status: 'LOST' })
    setClock(NOON + 31 * DAY)
    const rows = [`,Al,${phone},,,`, `,Bo,${phone},,,`, `,Lo,${lost.phone_number},LOST@example.com,,`, `,Ol,${old},,,`]
    expect(await counted(rows)).toEqual(counts({ rows: 4, created: 2, reengaged: 2, updated: 2 }))
    expect(await getLead(closed.id)).toMatchObject({ status: 'OPEN', reengagements_count: 1, metadata: { first_name: 'Ol' } })
    expect(await counted(rows)).toEqual(counts({ rows: 4, unchanged: 4 }))
    expect(await leadsOf(old)).toEqual([closed.id])
    setClock(NOON)
  })

  it('a file of a source that creates writes no leads and calls nobody when it is sent again, even without emails', async () => {
    const [phone, stopped] = [newPhone(), newPhone()]
    const rows = [`,Al,${phone},,NY,`, `,Al,${phone},,NY,`, `,Al,${phone},,CA,`, `,Di,${stopped},,,yes`]
    expect(await counted(rows)).toEqual(counts({ rows: 4, created: 3, unchanged: 1 }))
    const before = await Promise.all([...(await leadsOf(phone)), ...(await leadsOf(stopped))].map(getLead))
    expect(before).toHaveLength(3)
    await world().queues.take('CALL_QUEUE_URL')
    const kinds = await watch().kindsWritten(async () => expect(await counted(rows)).toEqual(counts({ rows: 4, unchanged: 4 })))
    expect(kinds).toEqual(new Set(['UPLOAD']))
    expect(await Promise.all([...(await leadsOf(phone)), ...(await leadsOf(stopped))].map(getLead))).toEqual(before)
    expect(await world().queues.take('CALL_QUEUE_URL')).toEqual([])
  })

  it('a file that is sent again leaves a lead with an email alone, whatever the case of the email', async () => {
    const phone = newPhone()
    expect(await counted([`,Jo,${phone},jo@example.com,NY,`])).toEqual(counts({ rows: 1, created: 1 }))
    const [id] = await leadsOf(phone)
    const before = await getLead(id!)
    const again = [`,Jo,${phone},jo@example.com,NY,`, `,Jo,${phone},JO@example.com,,`]
    expect(await counted(again)).toEqual(counts({ rows: 2, unchanged: 2 }))
    expect(await getLead(id!)).toEqual(before)
    expect(await counted([`,Joe,${phone},jo@example.com,NY,`, `,Jo,${phone},,NY,`])).toEqual(counts({ rows: 2, created: 1, rejected: 1 }))
  })

  it('a file creates a lead for a row with other values or another lead type', async () => {
    const phone = newPhone()
    await counted([`,Al,${phone},,NY,`])
    for (const id of await leadsOf(phone)) await patched(id, { metadata: { last_name: 'Adams' }, status: 'CLOSED' })
    expect(await counted([`,Al,${phone},,,`])).toEqual(counts({ rows: 1, unchanged: 1 }))
    expect(await counted([`,Al,${phone},,TX,`])).toEqual(counts({ rows: 1, created: 1 }))
    const typeless = newPhone()
    await created({ phone_number: typeless, email: 'with@example.com', metadata: { first_name: 'Al' }, lead_source: 'file' })
    expect(await counted([`,Al,${typeless},,,`])).toEqual(counts({ rows: 1, created: 1 }))
    const [, own] = await leadsOf(typeless)
    await patched(own!, { lead_type: null })
    expect(await counted([`,Al,${typeless},,,`])).toEqual(counts({ rows: 1, created: 1 }))
  })

  it('a file skips a repeated row and rejects a new one when the phone has its maximum of leads', async () => {
    const phone = newPhone()
    const leads = Array.from({ length: 99 }, (_, index) => ({ id: 1_000_000 + index, email: `${index}@example.com` }))
    await transact([replacePerson({ owner: OWNER, phone_number: phone, leads, version: 1 })])
    expect(await counted([`,Al,${phone},,,`, `,Al,${phone},,,`, `,Bo,${phone},,,`])).toEqual(
      counts({ rows: 3, created: 1, unchanged: 1, rejected: 1 }),
    )
  })

  it('a file that is sent twice at once creates each lead once', async () => {
    const phones = Array.from({ length: 20 }, newPhone)
    const rows = phones.map((phone) => `,Tw,${phone},,,`)
    const both = await Promise.all([counted(rows), counted(rows)])
    expect(both[0]!.created + both[1]!.created).toBe(20)
    expect(both[0]!.unchanged + both[1]!.unchanged).toBe(20)
    for (const phone of phones) expect(await leadsOf(phone)).toHaveLength(1)
  })

  it('a file with a stop stops a lead again whose stop was lifted', async () => {
    const phone = newPhone()
    await counted([`,St,${phone},,,yes`])
    const [id] = await leadsOf(phone)
    await patched(id!, { call_dnc: false })
    expect(await counted([`,St,${phone},,,yes`])).toEqual(counts({ rows: 1, unchanged: 1 }))
    expect(await getLead(id!)).toMatchObject({ call_dnc: true, next_call_time: null })
    expect(await phoneOf(phone)).toMatchObject({ call_dnc: true })
  })
})
