import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { handler as enter } from '#functions/dnc/create.ts'
import { handler as create } from '#functions/leads/create.ts'
import { handler as match } from '#functions/workers/match-webhooks.ts'
import { soughtPerson } from '#lib/ops/person/sought.ts'
import { type Survey, surveyPerson } from '#lib/ops/person/survey.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { insertSms } from '#shared/events/sms-store.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { getPerson } from '#shared/leads/person-store.ts'
import { formerLeadMark, formerNumberMark, leadKey } from '#shared/platform/keys.ts'
import { deleteItem } from '#shared/platform/table/table.ts'
import { HOUR } from '#shared/platform/values/durations.ts'
import { saveSubscription } from '#shared/webhooks/subscription-store.ts'
import { agentCalls } from '#test/support/agent-calls.ts'
import { bulkCreated, postOnce } from '#test/support/bulk-creates.ts'
import { bulkUpdated } from '#test/support/bulk-updates.ts'
import { setClock } from '#test/support/clock.ts'
import { giveConsent, revokeConsent } from '#test/support/consents.ts'
import { patch } from '#test/support/lead-requests.ts'
import { opsWorld } from '#test/support/ops-world.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'
import { withAnswers } from '#test/support/table-sends.ts'
import { unitsOf } from '#test/support/units.ts'
import { aSource, csv, ingested, watchCommands } from '#test/support/uploads.ts'
import { anEvent, aSubscription, batchOf } from '#test/support/webhook-fixtures.ts'
import { OWNER, request } from '#test/support/world.ts'

const INBOUND = '+12125550190'

const { world, tool } = opsWorld({
  withBucket: true,
  prepare: async () => {
    await aSource()
    await saveLeadType(sampleLeadType({ id: 6, owner: OWNER, inbound_numbers: [INBOUND] }))
    for (const id of [42, 43]) await saveSubscription(aSubscription({ id, owner: OWNER, trigger: ['LEAD_CREATED'] }))
  },
})
const { queued, place, ring, told } = agentCalls(world)
beforeEach(() => setClock(NOON))

const once = () => ({ 'Idempotency-Key': randomUUID() })
const make = (phone_number: string, fields: Record<string, unknown> = {}) =>
  request(create, {
    ...{ method: 'POST', path: '/api/leads/', headers: once() },
    body: { phone_number, timezone: 'America/New_York', ...fields },
  })

const leadsOf = async (phone: string): Promise<number[]> => (await getPerson(OWNER, phone)).leads.map(({ id }) => id)

/** Delivers an event of the lead, as it is now, to both subscriptions. */
const matched = async (id: number): Promise<void> => {
  const lead = await getLead(id)
  const event = anEvent({ event_id: `${randomUUID()}.LEAD_CREATED`, owner: OWNER, lead_id: id, lead: lead ?? null, event_time: NOON })
  expect(await match(batchOf([{ detail: event }]))).toEqual({ batchItemFailures: [] })
}

const texted = (id: number, phone_number: string) =>
  insertSms({
    ...{ sms_id: randomUUID(), lead: id, owner: OWNER, call_id: `${id}-1`, phone_number },
    ...{ direction: 'inbound', body: 'Hi', status: null, time: NOON },
  })

/** The steps of a history: users and agents change leads of two numbers. */
const STEPS = {
  create: async (phone: string, serial: number) =>
    void (await make(phone, { email: `a${serial}@example.com`, external_id: `E-${serial}` })),
  bulk: async (phone: string) => void (await postOnce(randomUUID(), [{ phone_number: phone }])),
  file: async (phone: string, serial: number) => void (await ingested(csv([`U-${serial},Ann,${phone},,,`]))),
  call: async (phone: string) => {
    const { status, body } = await make(phone)
    if (status !== 201) return
    const message = (await queued()).find(({ lead_id }) => lead_id === body.id)
    if (!message) return
    await place([message])
    if (await getCall(`${body.id}-1`)) await told(`${body.id}-1`, 'call.completed', { outcome: 'no_answer' })
  },
  inbound: async (phone: string) => void (await ring(phone, INBOUND)),
  list: async (phone_number: string) =>
    void (await request(enter, { method: 'POST', path: '/api/dnc/', headers: once(), body: { phone_number, call_dnc: false } })),
  consent: async (phone: string) => void (await giveConsent(phone)),
  revoke: async (phone: string) => void (await revokeConsent(phone)),
  text: async (phone: string) => {
    for (const id of await leadsOf(phone)) await texted(id, phone)
  },
  event: async (phone: string) => {
    for (const id of await leadsOf(phone)) await matched(id)
  },
  task: async (phone: string) => {
    for (const id of await leadsOf(phone)) await bulkUpdated({ leads: [{ id, lead_source: 'x' }] })
  },
  move: async (phone: string, _serial: number, other: string) => {
    const [id] = await leadsOf(phone)
    if (id) await patch(id, { phone_number: other })
  },
  rename: async (phone: string, serial: number) => {
    const [id] = await leadsOf(phone)
    if (id) await patch(id, { email: `b${serial}@example.com`, external_id: `F-${serial}` })
  },
} as const satisfies Record<string, (phone: string, serial: number, other: string) => Promise<void>>

const SILENT = { say: () => {}, note: () => {}, show: () => {}, line: () => {}, confirm: async () => true, isAttended: false }

const erasable = ({ items }: Survey): string[] =>
  items
    .filter(({ fate }) => fate !== 'redact' && fate !== 'leave')
    .map(({ key, fate }) => `${fate} ${key.pk} ${key.sk}`)
    .toSorted()

const survey = async (phone: string, everywhere: boolean) =>
  erasable(await surveyPerson(await soughtPerson(phone, { owner: undefined, everywhere }), SILENT))

const kindOf = (text: string): string => /[A-Z]+(?=#)/.exec(text)?.[0] ?? ''

let serial = 0
const done = async (name: string, phone: string, other: string): Promise<void> => {
  const run = Object.entries(STEPS).find(([key]) => key === name)?.[1]
  await run?.(phone, ++serial, other)
}

/** A history with every step, in which a lead changes its number after it was called. */
const EVERY_STEP = [
  ...['consent', 'call', 'list', 'inbound', 'create', 'bulk', 'file', 'text', 'event', 'task', 'rename', 'move', 'event', 'inbound'],
  'revoke',
]

describe('a search by keys', () => {
  it('a search by keys finds everything about a person that a search of the whole table finds', async () => {
    let numbers = 0
    const found = new Map<string, number>()
    const step = fc.record({ step: fc.constantFrom(...Object.keys(STEPS)), isOther: fc.boolean() })
    const property = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
      setClock(NOON)
      await queued()
      const [one, other] = [`+1646555${2000 + numbers++}`, `+1646555${2000 + numbers++}`]
      for (const { step: name, isOther } of steps) await done(name, ...(isOther ? ([other, one] as const) : ([one, other] as const)))
      for (const phone of [one, other]) {
        const byScan = await survey(phone, true)
        expect(await survey(phone, false)).toEqual(byScan)
        for (const text of byScan) found.set(kindOf(text), (found.get(kindOf(text)) ?? 0) + 1)
      }
    })
    const examples: [{ step: string; isOther: boolean }[]][] = [[EVERY_STEP.map((name) => ({ step: name, isOther: false }))]]
    await fc.assert(property, { numRuns: 12, examples, endOnFailure: true })
    process.stdout.write(`found by keys as by scan: ${[...found].map(([kind, count]) => `${count} ${kind}`).join(', ')}\n`)
    expect([...found.keys()].toSorted()).toEqual(
      ['CONSENT', 'DELIVERY', 'EMAIL', 'EXT', 'IDEMPOTENCY', 'INBOUNDCALL', 'LEAD', 'PERSON', 'TASK'].toSorted(),
    )
  })

  it('an export reads the list of users once, and looks at several users at the same time', async () => {
    await tool().apply(
      ['ann', 'ben', 'cy'].map((key) => `  - { key: ${key}, name: ${key} }`).reduce((all, one) => `${all}${one}\n`, 'users:\n'),
    )
    let [lists, open, most] = [0, 0, 0]
    const answer = async (command: unknown, send: () => Promise<unknown>): Promise<unknown> => {
      const asked = JSON.stringify(Object(command).input)
      if (asked.includes('":pk":"OPERATOR"')) lists++
      if (!asked.includes('{"pk":"USER#')) return send()
      most = Math.max(most, ++open)
      return send().finally(() => open--)
    }
    await withAnswers(answer, async () => expect((await tool().ops(['export', '+12125550191'])).code).toBe(0))
    expect(lists).toBe(1)
    expect(most).toBeGreaterThan(1)
  })

  it('an export and an erasure by keys cost the same among 20 and among 500 other leads', async () => {
    const units: number[] = []
    let others = 0
    for (const [size, phone, mover] of [
      [20, '+13475552001', '+13475552002'],
      [500, '+13475552003', '+13475552004'],
    ] as const) {
      for (; others < size; others += 20) {
        const many = Array.from({ length: 20 }, (_, at) => ({
          phone_number: `+1718555${1000 + others + at}`,
          timezone: 'Pacific/Honolulu',
        }))
        for (const { id } of await bulkCreated(many)) if (id % 4 === 0) await matched(id)
      }
      await queued()
      for (const name of ['call', 'inbound', 'create', 'bulk', 'text', 'event', 'task', 'rename', 'move']) await done(name, phone, mover)
      await queued()
      setClock(NOON + 3 * HOUR)
      const exported = await unitsOf(async () => expect((await tool().ops(['export', phone])).code).toBe(0))
      const erased = await unitsOf(async () => expect((await tool().ops(['erase', phone, '--yes'])).code).toBe(0))
      const scanned = await unitsOf(() => survey('+13475559999', true))
      process.stdout.write(`among ${size} others: export ${exported.read}, erasure ${erased.read}, scan ${scanned.read} read units\n`)
      units.push(exported.read + erased.read)
      setClock(NOON)
    }
    expect(units[1]).toBe(units[0])
  })

  it.each([2, 7, 12, 17, 22])('lets a repeat erase everything after an erasure that died before write %i', async (effect) => {
    const [phone, other] = [`+14045554${100 + effect}`, `+14045555${100 + effect}`]
    for (const name of EVERY_STEP.filter((step) => step !== 'file')) await done(name, phone, other)
    await queued()
    setClock(NOON + 3 * HOUR)
    // The number that a lead had before, or the one that it has now.
    const number = effect % 2 === 0 ? phone : other
    const commands = watchCommands()
    const died = await commands.killed(effect, () => tool().ops(['erase', number, '--yes']))
    commands.stop()
    expect(died).toBe(true)
    expect(await tool().ops(['erase', number, '--yes'])).toMatchObject({ code: 0, err: '' })
    expect(await survey(number, true)).toEqual([])
  })

  it('an erasure by keys finds the calls to a former number after repair has marked a change that has no marks', async () => {
    const [phone, other] = ['+13475552011', '+13475552012']
    await done('call', phone, other)
    const [lead = 0] = await leadsOf(phone)
    await done('move', phone, other)
    for (const markOf of [formerLeadMark, formerNumberMark]) await deleteItem(markOf(OWNER, phone, lead))
    const call = `remove ${leadKey(lead).pk} CALL#000001`
    expect((await survey(phone, true)).filter((text) => text.includes('CALL#'))).toEqual([call])
    expect(await survey(phone, false)).not.toContain(call)
    const { out } = await tool().ops(['check', '--json', '--again-after', '0'])
    expect(JSON.parse(out).findings).toMatchObject([{ kind: 'number-not-marked', where: `${lead}` }])
    expect((await tool().ops(['repair', '--all', '--again-after', '0'])).code).toBe(0)
    expect(await survey(phone, false)).toEqual(await survey(phone, true))
    setClock(NOON + 3 * HOUR)
    expect(await tool().ops(['erase', phone, '--yes', '--json'])).toMatchObject({ code: 0, out: expect.stringContaining('"call": 1') })
    expect(await survey(phone, true)).toEqual([])
  })

  it('an erasure by keys says what it did not search', async () => {
    const phone = '+13475552005'
    expect((await make(phone)).status).toBe(201)
    expect((await make('+13475552006', { friend: phone })).status).toBe(201)
    const exported = JSON.parse((await tool().ops(['export', phone])).out)
    expect(exported).toMatchObject({
      leads: [{ phone_number: phone }],
      not_searched: expect.stringContaining('--everywhere'),
      mentioned_in: [],
    })
    const { code, out } = await tool().ops(['erase', phone, '--yes'])
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^Erased: 1 lead.*Not searched: other people's records/s) })
    expect((await tool().ops(['erase', phone, '--yes'])).out).toMatch(/^Nothing is found about \+13475552005\.\nNot searched: /)
    const everywhere = JSON.parse((await tool().ops(['erase', phone, '--yes', '--json', '--everywhere'])).out)
    expect(everywhere).toMatchObject({ redacted: { lead: 1 }, not_searched: null })
  })
})
