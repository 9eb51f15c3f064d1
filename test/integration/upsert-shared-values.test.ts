import { beforeAll, describe, expect, it } from '@jest/globals'
import type { Lead } from '#shared/leads/lead.ts'
import { getLeads, leadItem } from '#shared/leads/lead-store.ts'
import { replacePerson } from '#shared/leads/person-store.ts'
import { leadsByEmail, pointersOf } from '#shared/leads/pointer-store.ts'
import { batchPut } from '#shared/platform/table/batches.ts'
import { consumedUnits } from '#shared/platform/table/consumed-units.ts'
import { transact } from '#shared/platform/table/transactions.ts'
import { ingest, newUrl } from '#test/support/ingestion.ts'
import { created, newPhone } from '#test/support/lead-requests.ts'
import { uploadWorld } from '#test/support/upload-world.ts'
import { aSource, countsOf, csv, ingested, reportLines } from '#test/support/uploads.ts'
import { OWNER } from '#test/support/world.ts'

uploadWorld()

/** Leads as others would have made them, in their order. */
const seeded = async (changes: readonly Partial<Lead>[]): Promise<Lead[]> => {
  const { id } = await created()
  const [lead] = (await getLeads([id], { consistent: true })).values()
  const first = 1_000_000 + id * 1000
  const leads = changes.map((change, index) => ({ ...lead!, ...change, id: first + index, position: first + index }))
  await batchPut(leads.flatMap((each) => [leadItem(each), ...pointersOf(each).map((key) => ({ ...key }))]))
  return leads
}

let offices: Lead[]

beforeAll(async () => {
  const office = { email: 'office@example.com', external_id: 'office' }
  offices = await seeded(Array.from({ length: 200 }, () => ({ ...office, phone_number: newPhone() })))
})

const readUnits = async <T>(run: () => Promise<T>): Promise<{ result: T; read: number }> => {
  const before = consumedUnits.read
  const result = await run()
  return { result, read: consumedUnits.read - before }
}

describe('a value shared by 200 leads', () => {
  it('an upsert by a value that 200 leads share costs fewer than 50 read units', async () => {
    const url = await newUrl()
    for (const body of [
      { contact: { email: 'office@example.com' }, state: 'NY' },
      { ref: 'office', state: 'TX' },
    ]) {
      const { result, read } = await readUnits(() => ingest('upsert', url, body))
      expect(result).toMatchObject({ status: 200, json: { id: offices.at(-1)?.id } })
      expect(read).toBeLessThan(50)
    }
    expect(await leadsByEmail(OWNER, 'office@example.com')).toHaveLength(200)
  })

  it('rows with a value that 200 leads share are rejected for fewer than 30 read units', async () => {
    await aSource({ name: 'by-email', lookup_column: 'Email' })
    for (const email of ['two@example.com', 'TWO@example.com']) await created({ email })
    const file = csv([`,A,${newPhone()},office@example.com,NY,`, `,A,,OFFICE@example.com,TX,`, `,A,${newPhone()},two@example.com,,`])
    await ingested(csv([',A,,nobody@example.com,,']), { source: 'by-email' })
    const { result, read } = await readUnits(() => ingested(file, { source: 'by-email' }))
    expect(countsOf(result)).toMatchObject({ rows: 3, rejected: 3 })
    expect(await reportLines(result)).toEqual([
      'line,column,value,message',
      '2,Email,office@example.com,There are more than 25 leads with this value. The value must name one lead.',
      '3,Email,OFFICE@example.com,There are more than 25 leads with this value. The value must name one lead.',
      '4,Email,two@example.com,There are 2 leads with this value. The value must name one lead.',
    ])
    expect(read).toBeLessThan(30)
  })
})

describe('a phone number shared by 40 leads', () => {
  it('an upsert by a phone number of 40 leads matches the lead with the same email, otherwise the newest', async () => {
    const phone = newPhone()
    const leads = await seeded(Array.from({ length: 40 }, (_, index) => ({ phone_number: phone, email: `of-${index}@example.com` })))
    await transact([replacePerson({ owner: OWNER, phone_number: phone, leads: leads.map(({ id, email }) => ({ id, email })), version: 1 })])
    const url = await newUrl()
    const { result, read } = await readUnits(() => ingest('upsert', url, { contact: { phone, email: 'OF-0@example.com' }, state: 'NY' }))
    expect(result).toMatchObject({ status: 200, json: { id: leads[0]?.id } })
    expect(read).toBeLessThan(50)
    expect((await ingest('upsert', url, { contact: { phone }, state: 'NY' })).json).toMatchObject({ id: leads.at(-1)?.id })
  })
})
