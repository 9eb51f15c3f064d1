import { describe, expect, it } from '@jest/globals'
import { getCall } from '#shared/calling/call-store.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { forgetConfiguration } from '#test/support/cache-clock.ts'
import { settingsWorld } from '#test/support/changed-settings.ts'
import { setClock } from '#test/support/clock.ts'
import { given } from '#test/support/consents.ts'
import { explained } from '#test/support/explained.ts'
import { created, leadNow, patched } from '#test/support/lead-requests.ts'
import { importList } from '#test/support/registries.ts'
import { NOON, type sampleLeadType } from '#test/support/samples.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'

const { inCall, told, placeQueued, saveType, change } = settingsWorld()

type Use = NonNullable<ReturnType<typeof sampleLeadType>['registries']>

/** A number that no lead has, with the area code of all leads. */
const NOBODY = '+12129990100'

const obey = (use: Partial<Use> = {}, consent_field: string | null = null) =>
  saveType({
    consent_field,
    registries: { lists: ['national'], exemption: 'none', relationship_field: null, relationship_days: 540, ...use },
  })

const importNow = async (...given: Parameters<typeof importList>): Promise<void> => {
  await importList(...given)
  forgetConfiguration()
}

const registryGate = async (id: number) => (await explained(id)).gates['registry']

interface Case {
  readonly name: string
  readonly body?: Record<string, unknown>
  readonly hold: (phone: string) => Promise<unknown>
  readonly revert: (phone: string) => Promise<unknown>
  readonly list: string
  readonly detail: RegExp
}

const listed = async (phone: string): Promise<void> => {
  await importNow('national', [phone, NOBODY])
  await obey()
}

const CASES: readonly Case[] = [
  {
    name: 'is on the list, until a new list lacks it',
    hold: listed,
    revert: () => importList('national', [NOBODY]),
    list: 'national',
    detail: /^The phone is on the do-not-call list national of 2026-11-20\.$/,
  },
  {
    name: 'is on the list, until the lead type obeys no list',
    hold: listed,
    revert: () => saveType(),
    list: 'national',
    detail: /is on the do-not-call list national/,
  },
  {
    name: 'obeys a list that was never imported, until it is',
    body: { us_state: 'TX' },
    hold: () => obey({ lists: ['state:TX'] }),
    revert: () => importList('state:TX', [NOBODY]),
    list: 'state:TX',
    detail: /^The do-not-call list state:TX was never imported\.$/,
  },
  {
    name: 'obeys a list that is too old, until a new one is imported',
    body: { us_state: 'FL' },
    hold: async () => {
      await importNow('state:FL', [NOBODY], '2026-10-19')
      await obey({ lists: ['state:FL'] })
    },
    revert: () => importList('state:FL', [NOBODY]),
    list: 'state:FL',
    detail: /^The do-not-call list state:FL of 2026-10-19 is older than 31 days\.$/,
  },
]

describe.each(CASES)('a lead that $name', ({ body = {}, hold, revert, list, detail }) => {
  it('a lead that a do-not-call list refuses has no next call, says why, and is called within a minute of the change', async () => {
    const lead = await created(body)
    await hold(lead.phone_number)
    forgetConfiguration()
    await placeQueued()
    expect(await getLead(lead.id)).toMatchObject({ status: 'OPEN', due_list: 'HELD', held_by: `registry ${list}`, attempts: 0 })
    expect(await leadNow(lead.id)).toMatchObject({ next_call_time: null })
    const { callable, gates } = await explained(lead.id)
    expect(callable).toBe(false)
    expect(gates['registry']).toMatchObject({ passed: false, detail: expect.stringMatching(detail), inputs: { list } })
    const until = `until the do-not-call list ${list} is imported again, a consent is recorded, or the lead or its type changes.`
    expect(gates['due'].detail).toContain(until)
    await change(NOON + 5 * MINUTE, () => revert(lead.phone_number))
    expect(await getLead(lead.id)).toMatchObject({ attempts: 1, held_by: null })
  })
})

describe('a dial with do-not-call lists', () => {
  it('a lead whose number no list has is called, and the call keeps the verdict', async () => {
    await importNow('national', [NOBODY])
    await obey()
    forgetConfiguration()
    const { id } = await created()
    await placeQueued()
    expect(await getCall(`${id}-1`)).toMatchObject({ verdicts: { registry: 'NOT_LISTED' } })
  })

  it('a number that a list of changes adds just before the dial is not called', async () => {
    await importNow('national', [NOBODY])
    await obey()
    forgetConfiguration()
    const waiting = await created()
    expect(await registryGate(waiting.id)).toMatchObject({ passed: true })
    await importList('national', [waiting.phone_number], undefined, ['--changes'])
    await placeQueued()
    expect(await getLead(waiting.id)).toMatchObject({ attempts: 0, held_by: 'registry national' })
  })

  it('a phone whose area code was not imported is not called, and is called when a full list has it', async () => {
    await importNow('national', ['+16175550100'])
    await obey()
    forgetConfiguration()
    const { id } = await created()
    await placeQueued()
    expect(await getLead(id)).toMatchObject({ attempts: 0, held_by: 'registry national' })
    expect(await registryGate(id)).toMatchObject({ passed: false, detail: expect.stringContaining('no number with the area code 212') })
    await change(NOON + 5 * MINUTE, () => importList('national', ['+16175550100', NOBODY]))
    expect(await getLead(id)).toMatchObject({ attempts: 1, held_by: null })
  })

  it('a dial looks up the number once, and only for a lead type that obeys a list', async () => {
    await importNow('national', [NOBODY])
    const lookUps = async (): Promise<number> => {
      forgetConfiguration()
      await created()
      let count = 0
      await beforeEachSend((command) => {
        if (/"pk":"REGISTRY#/.test(JSON.stringify(command))) count++
      }, placeQueued)
      return count
    }
    expect(await lookUps()).toBe(0)
    await obey()
    expect(await lookUps()).toBe(1)
  })

  it('a listed lead is called when it has the exemption of its lead type', async () => {
    const lead = await created({ metadata: { timezone: 'America/New_York' } })
    await importNow('national', [lead.phone_number])
    await obey({ exemption: 'relationship', relationship_field: 'bought' })
    forgetConfiguration()
    await placeQueued()
    expect(await getLead(lead.id)).toMatchObject({ attempts: 0, held_by: 'registry national' })
    await patched(lead.id, { metadata: { timezone: 'America/New_York', bought: '2026-10-01' } })
    await placeQueued()
    expect(await getLead(lead.id)).toMatchObject({ attempts: 1 })
    expect(await getCall(`${lead.id}-1`)).toMatchObject({ verdicts: { registry: 'EXEMPT' } })
  })

  it('what an agent collects in a call proves no consent, no purchase and no contact', async () => {
    await saveType({
      consent_field: 'proof',
      registries: { lists: ['national'], exemption: 'relationship', relationship_field: 'bought', relationship_days: 540 },
      reassigned_numbers: { where: 'law', date_field: 'contact', creation_counts: false, max_age_days: 31 },
    })
    forgetConfiguration()
    await importNow('national', [NOBODY])
    const { lead, call, phone } = await inCall({ us_state: 'NY', metadata: { proof: 'a URL', bought: '2024-01-01' } })
    const day = '2026-11-19'
    await told(call, 'call.data_collected', { collected: { proof: 'yes', bought: day, contact: day, roof: 'slate' } })
    const { metadata } = (await getLead(lead))!
    expect(metadata).toMatchObject({ proof: 'a URL', bought: '2024-01-01', roof: 'slate' })
    expect(metadata).toMatchObject({ collected_proof: 'yes', collected_bought: day, collected_contact: day })
    expect(metadata).not.toHaveProperty('contact')
    await importNow('national', [phone])
    expect(await registryGate(lead)).toMatchObject({ passed: false, inputs: { list: 'national' } })
  })

  it('a listed lead is called at once when a written consent that names the seller is recorded, and not for a weaker one', async () => {
    const lead = await created()
    await importNow('national', [lead.phone_number])
    await obey({ exemption: 'consent' })
    forgetConfiguration()
    await placeQueued()
    expect(await getLead(lead.id)).toMatchObject({ attempts: 0, held_by: 'registry national' })
    for (const type of ['oral', 'written']) await given(lead.phone_number, { type })
    await placeQueued()
    expect(await getLead(lead.id)).toMatchObject({ attempts: 0, held_by: 'registry national' })
    await given(lead.phone_number, { type: 'written_seller', seller: 'Sun Roofs' })
    await placeQueued()
    expect(await getCall(`${lead.id}-1`)).toMatchObject({ verdicts: { registry: 'EXEMPT' } })
  })

  it('no number of both lists is called while one list replaces the other', async () => {
    const leads = []
    for (let count = 0; count < 10; count++) leads.push(await created())
    const numbers = leads.map(({ phone_number }) => phone_number)
    await importNow('national', numbers)
    await obey()
    forgetConfiguration()
    await Promise.all([importList('national', [...numbers, NOBODY]), placeQueued()])
    setClock(NOON + MINUTE)
    await placeQueued()
    for (const { id } of leads) expect(await getLead(id)).toMatchObject({ attempts: 0, held_by: 'registry national' })
  })
})
