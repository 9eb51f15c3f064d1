import { describe, expect, it } from '@jest/globals'
import { handler as list } from '#functions/leads/list.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { getPerson } from '#shared/leads/person-store.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { setClock } from '#test/support/clock.ts'
import { created, leadNow, patched } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'
import { KEY, OWNER } from '#test/support/world.ts'

const { inCall, told } = callWorld()

interface Told {
  readonly at: number
  readonly collected: Record<string, unknown>
}

/** Told five minutes later: times that lie ahead would count as now. */
const collected = (call: string, { at, collected }: Told) => {
  setClock(NOON + 300_000)
  return told(call, 'call.data_collected', { collected }, at)
}

/** The lead after reports of one call, in the order given. */
const leadAfter = async (fields: Record<string, unknown>, tellings: readonly Told[]) => {
  setClock(NOON)
  const { lead, call } = await inCall(fields)
  for (const telling of tellings) await collected(call, telling)
  return leadNow(lead)
}

/** Ids of the leads that the list finds by a value. */
const found = async (name: string, value: string): Promise<number[]> => {
  const answer = await list(
    {
      httpMethod: 'GET',
      path: '/api/leads/',
      resource: '/api/leads/',
      headers: { Authorization: `Token ${KEY}` },
      pathParameters: {},
      queryStringParameters: { [name]: value },
      body: null,
      isBase64Encoded: false,
      requestContext: { requestId: 'request-1', resourcePath: '/api/leads/' },
    },
    { awsRequestId: 'test', functionName: 'a-function' } as never,
  )
  return JSON.parse(answer.body).results.map(({ id }: { id: number }) => id)
}

const ALL = { email: 'jo@example.com', us_state: 'Texas', external_id: 17, lead_source: 'phone', representative: '12' }
const FILLED = { email: 'jo@example.com', us_state: 'TX', external_id: '17', lead_source: 'phone', representative: 12 }

describe('a collected value of a lead field', () => {
  it('a collected value fills a lead field that is empty', async () => {
    const lead = await leadAfter({}, [{ at: 1, collected: { ...ALL, roof: 'slate' } }])
    expect(lead).toMatchObject({ ...FILLED, metadata: { roof: 'slate', email: 'jo@example.com' } })
    expect(Object.keys(lead.metadata).filter((key) => key.startsWith('collected_'))).toEqual([])
  })

  it('a collected value fills the lead field when it comes with the completion of the call', async () => {
    const { lead, call } = await inCall()
    await told(call, 'call.completed', { outcome: 'no_answer', collected: ALL })
    expect(await leadNow(lead)).toMatchObject(FILLED)
  })

  it('a collected value is stored in the metadata when the lead field has another value', async () => {
    const own = { email: 'own@example.com', us_state: 'NY', external_id: 'own', lead_source: 'web', representative: 3 }
    const { collected_email, collected_us_state, collected_external_id, collected_lead_source, collected_representative } = (
      await leadAfter(own, [{ at: 1, collected: ALL }])
    ).metadata
    expect({ collected_email, collected_us_state, collected_external_id, collected_lead_source, collected_representative }).toEqual({
      collected_email: 'jo@example.com',
      collected_us_state: 'TX',
      collected_external_id: '17',
      collected_lead_source: 'phone',
      collected_representative: 12,
    })
  })

  it('a collected value is not stored again when the lead field has the same value', async () => {
    const lead = await leadAfter({ us_state: 'TX', lead_source: 'phone' }, [{ at: 1, collected: { us_state: 'tx', lead_source: 'phone' } }])
    expect(Object.keys(lead.metadata).filter((key) => key.startsWith('collected_'))).toEqual([])
  })

  it.each([
    ['email', 'jo at example.com'],
    ['us_state', 'Ontario'],
    ['external_id', { a: 1 }],
    ['lead_source', 'x'.repeat(256)],
    ['representative', 'Bob'],
    ['status', 'LOST'],
    ['call_dnc', false],
    ['lead_type', 5],
    ['created_at', 'last week'],
    ['phone_number', '+12125550199'],
  ])('a collected value goes only to the metadata when the field %s cannot take it', async (name, said) => {
    const { lead, call } = await inCall()
    const before = await leadNow(lead)
    await collected(call, { at: 1, collected: { [name]: said } })
    const after = await leadNow(lead)
    expect(after[name]).toEqual(before[name])
    expect(after.metadata).toEqual({ ...before.metadata, [`collected_${name}`]: said })
  })

  it('a collected value fills its lead field even if the rest of the report does not fit into the metadata', async () => {
    const lead = await leadAfter({ metadata: { notes: 'x'.repeat(99_000) } }, [{ at: 1, collected: { ...ALL, roof: 'y'.repeat(5_000) } }])
    expect(lead).toMatchObject(FILLED)
    expect(lead.metadata).not.toHaveProperty('roof')
  })

  it('a collected value changes nothing when it is empty or the lead’s own number', async () => {
    const { lead, call, phone } = await inCall()
    const before = await getLead(lead)
    await collected(call, { at: 1, collected: { email: null, us_state: ' ', phone_number: phone.replace('+1', '') } })
    expect(await getLead(lead)).toEqual(before)
  })
})

describe('an email that a call collects', () => {
  it('an email or external id that a call collects finds the lead in later searches', async () => {
    const { lead, call, phone } = await inCall()
    const [email, external_id] = [`found-${lead}@example.com`, `found-${lead}`]
    await collected(call, { at: 1, collected: { email, external_id } })
    expect([await found('email', email), await found('external_id', external_id)]).toEqual([[lead], [lead]])
    expect((await getPerson(OWNER, phone)).leads).toEqual([{ id: lead, email }])
  })

  it('a collected email stays in the metadata when another lead of the person has it', async () => {
    const { lead, call, phone } = await inCall()
    await created({ phone_number: phone, email: 'Taken@example.com' })
    await collected(call, { at: 1, collected: { email: 'taken@EXAMPLE.com' } })
    expect(await leadNow(lead)).toMatchObject({ email: null, metadata: { collected_email: 'taken@EXAMPLE.com' } })
  })

  it('a collected email gives way to an earlier one that is reported late, and no longer finds the lead', async () => {
    const { lead, call } = await inCall()
    await collected(call, { at: 2, collected: { email: `b-${lead}@example.com` } })
    await collected(call, { at: 1, collected: { email: `a-${lead}@example.com` } })
    expect(await leadNow(lead)).toMatchObject({ email: `a-${lead}@example.com`, metadata: { collected_email: `b-${lead}@example.com` } })
    expect([await found('email', `a-${lead}@example.com`), await found('email', `b-${lead}@example.com`)]).toEqual([[lead], []])
  })
})

describe('the result of collected values', () => {
  const tellings = [
    { at: 1, collected: { external_id: 'a', email: 'no email' } },
    { at: 2, collected: { external_id: 'b', email: 'b@example.com' } },
    { at: 3, collected: { external_id: 'c', email: 'c@example.com' } },
    { at: 4, collected: { external_id: 'a', email: 'b@example.com' } },
  ]

  const orders = (rest: readonly Told[]): Told[][] =>
    rest.length === 0 ? [[]] : rest.flatMap((first) => orders(rest.filter((one) => one !== first)).map((others) => [first, ...others]))

  it('the result of collected values is the same for every order and repetition of the reports', async () => {
    for (const order of orders(tellings)) {
      const lead = await leadAfter({}, [...order, ...order.slice(0, 2)])
      const { collected_external_id, collected_email } = lead.metadata
      expect({ ...lead, collected_external_id, collected_email }).toMatchObject({
        ...{ external_id: 'a', collected_external_id: 'c' },
        ...{ email: 'b@example.com', collected_email: 'c@example.com' },
      })
    }
  })

  it('a collected value does not overwrite a value that a client has set or removed since', async () => {
    const { lead, call } = await inCall()
    await collected(call, { at: 2, collected: { lead_source: 'told', external_id: 'told', us_state: 'TX' } })
    await patched(lead, { lead_source: 'client', external_id: null, us_state: 'TX' })
    await collected(call, { at: 2, collected: { external_id: 'told' } })
    await collected(call, { at: 1, collected: { lead_source: 'earlier', external_id: 'earlier', us_state: 'NY' } })
    expect(await leadNow(lead)).toMatchObject({
      ...{ lead_source: 'client', external_id: null, us_state: 'TX' },
      metadata: { collected_lead_source: 'told', collected_external_id: 'told', collected_us_state: 'NY' },
    })
  })
})
