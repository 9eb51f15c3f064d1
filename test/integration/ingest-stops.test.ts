import { beforeAll, describe, expect, it } from '@jest/globals'
import { saveUser } from '#shared/accounts/user-store.ts'
import { getPerson } from '#shared/leads/person-store.ts'
import { created, leadNow, newPhone, phoneOf } from '#test/support/lead-requests.ts'
import { uploadWorld } from '#test/support/upload-world.ts'
import { aSource, csv, ingested, reportLines } from '#test/support/uploads.ts'
import { OWNER } from '#test/support/world.ts'

const { watch } = uploadWorld()

beforeAll(async () => {
  await aSource({ name: 'update', mode: 'update', lookup_column: 'Phone' })
  await aSource({ name: 'create', mode: 'create', lookup_column: null })
})

const ONE_REJECTED = { rows: 1, created: 0, updated: 0, unchanged: 0, rejected: 1 }

describe('a rejected row that says "do not contact"', () => {
  it('a row that finds no lead to update stops its number for leads that come later', async () => {
    const phone = newPhone()
    const upload = await ingested(csv([`,A,${phone},,NY,true`]), { source: 'update' })
    expect(upload).toMatchObject(ONE_REJECTED)
    expect(await reportLines(upload)).toContain(`2,Phone,'${phone},There is no lead with this value to update.`)
    expect(await phoneOf(phone)).toMatchObject({ call_dnc: true })
    expect(await ingested(csv([`,A,${phone},,NY,`]), { source: 'create' })).toMatchObject({ created: 1 })
    const [{ id = 0 } = {}] = (await getPerson(OWNER, phone)).leads
    expect(await leadNow(id)).toMatchObject({ call_dnc: true, next_call_time: null })
  })

  it('a row with a value of several leads stops its number, and the leads that have this number', async () => {
    const name = 'shared-by-two'
    const lead = await created({ external_id: name })
    await created({ external_id: name })
    const upload = await ingested(csv([`${name},A,${lead.phone_number},,NY,true`]))
    expect(upload).toMatchObject(ONE_REJECTED)
    expect((await reportLines(upload))[1]).toContain('There are 2 leads with this value.')
    expect(await phoneOf(lead.phone_number)).toMatchObject({ call_dnc: true })
    expect(await leadNow(lead.id)).toMatchObject({ call_dnc: true, next_call_time: null })
  })

  it('a rejected row that is sent again writes nothing', async () => {
    const rows = csv([`,A,${newPhone()},,NY,true`])
    await ingested(rows, { source: 'update' })
    expect(await watch().kindsWritten(() => ingested(rows, { source: 'update' }))).toEqual(new Set(['UPLOAD']))
  })

  it('a dry run of a rejected row stops nobody', async () => {
    const phone = newPhone()
    expect(await ingested(csv([`,A,${phone},,NY,true`]), { source: 'update', dry_run: true })).toMatchObject({ rejected: 1 })
    expect(await phoneOf(phone)).toMatchObject({ call_dnc: false })
  })
})

it('a row that says "do not contact" reads the persons of all users of a large group together', async () => {
  const user = { name: 'Member', is_staff: false, default_lead_type: 4, dnc_group: '1', lines: 1, webhook_secrets: ['whsec_AAAA'] }
  for (let member = 0; member < 60; member++) await saveUser({ ...user, id: 1000 + member })
  const { 'GetCommand PERSON': gets = 0 } = await watch().readsOf(() => ingested(csv([`of-many,A,${newPhone()},,NY,true`])))
  expect(gets).toBeLessThanOrEqual(10)
})

describe('a row without "do not contact"', () => {
  it('a row that creates a lead reads its phone and its person once, with the other rows', async () => {
    const rows = (count: number) => csv(Array.from({ length: count }, () => `,A,${newPhone()},,NY,`))
    await ingested(rows(1), { source: 'create' })
    expect(await watch().readsOf(() => ingested(rows(20), { source: 'create' }))).toEqual({
      'BatchGetCommand PERSON': 1,
      'BatchGetCommand PHONE': 2,
    })
  })
})
