import { beforeAll, describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { getConsentState } from '#shared/consents/consent-store.ts'
import { IngestionUrl } from '#shared/ingestion/ingestion.ts'
import { now } from '#shared/platform/clock.ts'
import { getPhone, phonePk } from '#shared/stops/phone-store.ts'
import { getWhole } from '#shared/uploads/upload-store.ts'
import { consentsOf, given, revoked } from '#test/support/consents.ts'
import { ingest, newUrl } from '#test/support/ingestion.ts'
import { created, leadNow, newPhone } from '#test/support/lead-requests.ts'
import { sampleLeadType } from '#test/support/samples.ts'
import { uploadWorld } from '#test/support/upload-world.ts'
import { aSource, csv, ingested, reportLines } from '#test/support/uploads.ts'
import { OWNER } from '#test/support/world.ts'

uploadWorld()

type Mapping = v.InferInput<typeof IngestionUrl>['mapping']

const HEADER = 'Lead ID,Phone,State,Consented On,Consent Page'
const LEAD: Mapping = [
  { to: 'external_id', from: 'Lead ID' },
  { to: 'phone_number', from: 'Phone' },
  { to: 'us_state', from: 'State' },
]
const CONSENT: Mapping = [
  { to: 'consent.type', constant: 'written' },
  { to: 'consent.time', from: 'Consented On', transforms: [{ date: 'MM/DD/YYYY' }] },
  { to: 'consent.proof_url', from: 'Consent Page' },
]
const PAGE = 'https://example.com/consents/1'
/** A lead type that demands a written consent. */
const DEMANDING = 77

beforeAll(async () => {
  await saveLeadType(sampleLeadType({ owner: OWNER, id: DEMANDING, consent_type: 'written' }))
  const sources = [
    { mode: 'create', lookup_column: null },
    { mode: 'upsert', lookup_column: 'Lead ID' },
    { mode: 'update', lookup_column: 'Lead ID' },
  ] as const
  for (const source of sources) await aSource({ ...source, name: source.mode, mapping: [...LEAD, ...CONSENT], lead_type: DEMANDING })
})

const read = (source: string, rows: readonly string[], dry_run = false) => ingested(csv(rows, HEADER), { source, dry_run })

const previewed = async (rows: readonly string[]) => (await getWhole((await read('upsert', rows, true)).upload_id, now()))?.upload.preview

describe('a file with columns of consent', () => {
  it.each(['create', 'upsert'])('a row of a source of mode %s records its consent once, before its lead is called', async (source) => {
    const [phone, other] = [newPhone(), newPhone()]
    const rows = [`${source}-1,${phone},NY,11/19/2026,${PAGE}`, `${source}-2,${other},NY,,`]
    expect(await read(source, rows)).toMatchObject({ created: 2, rejected: 0 })
    expect(await consentsOf(phone)).toMatchObject({
      count: 1,
      results: [{ kind: 'given', type: 'written', time: '2026-11-19T00:00:00.000000+00:00', proof_url: PAGE, received_by: OWNER }],
    })
    // The constant type alone is no consent.
    expect(await consentsOf(other)).toMatchObject({ count: 0 })
    expect(await read(source, rows)).toMatchObject({ created: 0, unchanged: 2 })
    expect(await consentsOf(phone)).toMatchObject({ count: 1 })
  })

  it('a row that changes nothing on its lead records its consent', async () => {
    const lead = await created({ external_id: 'same', us_state: 'NY', lead_type: DEMANDING })
    expect(await read('update', [`same,${lead.phone_number},NY,11/19/2026,`])).toMatchObject({ unchanged: 1 })
    expect(await consentsOf(lead.phone_number)).toMatchObject({ count: 1 })
    expect(await leadNow(lead.id)).toEqual(lead)
  })

  it('a row that finds no lead to update records its consent', async () => {
    const phone = newPhone()
    expect(await read('update', [`nobody,${phone},NY,11/19/2026,`, 'nobody,,NY,11/19/2026,'])).toMatchObject({ rejected: 2 })
    expect(await consentsOf(phone)).toMatchObject({ count: 1 })
  })

  it('a row with a consent of a day before the revocation does not bring the consent back', async () => {
    const phone = newPhone()
    await given(phone, { time: '2026-11-18T00:00:00Z' })
    await revoked(phone, { channels: ['call'] })
    expect(await read('upsert', [`late-1,${phone},NY,11/19/2026,`])).toMatchObject({ created: 1 })
    expect(await consentsOf(phone)).toMatchObject({ count: 3 })
    expect(await getConsentState(OWNER, phone)).toMatchObject({ given: null })
  })

  it('a row with a bad consent is rejected under the column that is wrong, and records nothing', async () => {
    const phones = [newPhone(), newPhone(), newPhone(), newPhone()]
    const upload = await read('upsert', [
      `bad-1,${phones[0]},NY,2026,`,
      `bad-2,${phones[1]},NY,,${PAGE}`,
      `bad-3,${phones[2]},NY,11/19/2027,`,
      `bad-4,${phones[3]},NY,11/19/2026,http://example.com/`,
    ])
    expect(upload).toMatchObject({ created: 0, rejected: 4 })
    expect(await reportLines(upload)).toEqual([
      expect.any(String),
      expect.stringMatching(/^2,Consented On,2026,/),
      expect.stringMatching(/^3,Consented On,,This field is required\./),
      expect.stringMatching(/^4,Consented On,11\/19\/2027,.*in the future/),
      expect.stringMatching(/^5,Consent Page,http:/),
    ])
    for (const phone of phones) expect(await consentsOf(phone)).toMatchObject({ count: 0 })
  })

  it('a row with a consent and without a phone number is rejected', async () => {
    const lead = await created({ external_id: 'no-phone', us_state: 'NY' })
    const upload = await read('update', ['no-phone,,CA,11/19/2026,'])
    expect(upload).toMatchObject({ rejected: 1 })
    expect((await reportLines(upload))[1]).toContain('A consent needs the phone number that it was given for.')
    expect(await leadNow(lead.id)).toMatchObject({ us_state: 'NY' })
  })

  it.each(['create', 'upsert'])('a row of a source of mode %s stops its number even if its consent is refused', async (source) => {
    const name = `stops-${source}`
    const mapping: Mapping = [...LEAD, ...CONSENT, { to: 'call_dnc', constant: true }]
    await aSource({ name, mode: source === 'create' ? 'create' : 'upsert', lookup_column: source === 'create' ? null : 'Lead ID', mapping })
    const phone = newPhone()
    expect(await read(name, [`${name},${phone},NY,11/19/2027,`])).toMatchObject({ rejected: 1 })
    expect(await getPhone(await phonePk('1', phone))).toMatchObject({ call_dnc: true })
  })

  it('a dry run counts the consents of its rows and records none', async () => {
    const [phone, other] = [newPhone(), newPhone()]
    const preview = await previewed([`dry-1,${phone},NY,11/19/2026,`, `dry-2,${other},NY,,`])
    expect(preview).toMatchObject({ callable_now: 1, skipped: [{ gate: 'consent', leads: 1 }] })
    expect(await consentsOf(phone)).toMatchObject({ count: 0 })
  })
})

describe('an ingestion URL with a consent', () => {
  const payload = (phone: string, consented: string | null) => ({ 'Lead ID': phone, Phone: phone, State: 'NY', 'Consented On': consented })

  it.each(['create', 'upsert'] as const)(
    'a request to %s a lead is told of keys that look like a consent and are not read',
    async (action) => {
      const id = await newUrl({ mapping: [...LEAD, ...CONSENT] })
      const { 'Consented On': time, ...lead } = payload(newPhone(), '11/19/2026')
      const answer = await ingest(action, id, { ...lead, 'Consented-On': time, consent: { typ: 'written' } })
      expect(answer).toMatchObject({ status: 201 })
      expect(answer.headers['X-Warnings']).toContain(
        'similar_field;field="Consented-On";hint="Consented On", similar_field;field="consent.typ";hint="consent.type"',
      )
    },
  )

  it.each(['create', 'upsert'] as const)('a request to %s a lead records its consent', async (action) => {
    const id = await newUrl({ mapping: [...LEAD, ...CONSENT] })
    const [phone, other] = [newPhone(), newPhone()]
    expect(await ingest(action, id, payload(phone, '11/19/2026'))).toMatchObject({ status: 201, json: { metadata: {} } })
    expect(await consentsOf(phone)).toMatchObject({ count: 1, results: [{ type: 'written' }] })
    expect(await ingest(action, id, payload(other, null))).toMatchObject({ status: 201 })
    expect(await consentsOf(other)).toMatchObject({ count: 0 })
    expect(await ingest(action, id, payload(newPhone(), '11/19/2027'))).toMatchObject({
      status: 400,
      json: { 'Consented On': [expect.stringContaining('in the future')] },
    })
  })
})

describe('the mapping of a consent', () => {
  const messages = (mapping: Mapping) =>
    v.safeParse(IngestionUrl, { id: '6b1b36cb-6bc4-4b0e-9a53-3b8a4b6d8a11', owner: OWNER, mapping }).issues?.map(({ message }) => message)

  it.each<[string, Mapping, string]>([
    ['no time', [...LEAD, { to: 'consent.type', from: 'Type' }], 'must map consent.type and consent.time'],
    [
      'a type that names the seller, and no seller',
      [...LEAD, { to: 'consent.type', constant: 'written_seller' }, { to: 'consent.time', from: 'Consented On' }],
      'that sets consent.type to written_seller must map consent.seller too',
    ],
    ['no type', [...LEAD, { to: 'consent.time', from: 'Consented On' }], 'must map consent.type and consent.time'],
    ['an unknown type', [...LEAD, { to: 'consent.type', constant: 'spoken' }], 'type: "spoken" is not a valid choice.'],
  ])('a mapping of a consent with %s is refused', (_, mapping, message) => {
    expect(messages(mapping)?.join('\n')).toContain(message)
  })

  it('a mapping of a consent with type and time is taken', () => {
    expect(messages([...LEAD, ...CONSENT])).toBeUndefined()
  })
})
