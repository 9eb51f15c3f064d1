import { beforeAll, describe, expect, it } from '@jest/globals'
import { handler as preview } from '#functions/lead-types/preview.ts'
import { giveName } from '#shared/accounts/names.ts'
import { agentsToLookAt } from '#shared/backlog/marks.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { reassignedKey } from '#shared/platform/keys.ts'
import { updateItem } from '#shared/platform/table/table.ts'
import { DAY, MINUTE } from '#shared/platform/values/durations.ts'
import type { Answer } from '#shared/reassigned/answer.ts'
import { phoneHash } from '#shared/stops/phone-hash.ts'
import { forgetConfiguration } from '#test/support/cache-clock.ts'
import { settingsWorld } from '#test/support/changed-settings.ts'
import { setClock } from '#test/support/clock.ts'
import { given } from '#test/support/consents.ts'
import { explained } from '#test/support/explained.ts'
import { created, leadNow, newPhone, patched } from '#test/support/lead-requests.ts'
import { importAnswers, storedAnswers } from '#test/support/reassigned.ts'
import { NOON, type sampleLeadType } from '#test/support/samples.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'
import { unitsOf } from '#test/support/units.ts'
import { OWNER, request } from '#test/support/world.ts'

const { placeQueued, saveType, change } = settingsWorld()

beforeAll(async () => void (await giveName({ kind: 'USER', keys: ['acme'], id: OWNER })))

type Use = NonNullable<ReturnType<typeof sampleLeadType>['reassigned_numbers']>

/** The day of consent of the leads here. */
const AGREED = '2026-06-10'

const checking = async (use: Partial<Use> = {}): Promise<void> => {
  const reassigned_numbers = { where: 'law' as const, date_field: 'agreed', creation_counts: false, max_age_days: 31, ...use }
  await saveType({ consent_field: null, reassigned_numbers })
  forgetConfiguration()
}

const metadata = { timezone: 'America/New_York', agreed: AGREED }

/** A lead in Maine that is due. */
const inMaine = (body: Record<string, unknown> = {}) => created({ us_state: 'ME', metadata, ...body })

const say = (phone: string, answer: Answer, date = AGREED, asOf?: string) => importAnswers([{ phone, date, answer }], asOf)

const gate = async (id: number) => (await explained(id)).gates['reassigned']

const HELD = { status: 'OPEN', due_list: 'HELD', held_by: `reassigned ${OWNER}`, attempts: 0 }

describe('a lead that the gate of reassigned numbers refuses', () => {
  interface Case {
    readonly name: string
    readonly hold?: (phone: string) => Promise<unknown>
    readonly revert: (lead: { id: number; phone_number: string }) => Promise<unknown>
    readonly code: RegExp
  }

  const CASES: readonly Case[] = [
    {
      name: 'has no answer, until one is imported',
      revert: ({ phone_number }) => say(phone_number, 'no'),
      code: /^No answer .* about 2026-06-10/,
    },
    {
      name: 'has an old answer, until a new one is imported',
      hold: (phone) => say(phone, 'no', AGREED, '2026-11-10'),
      revert: ({ phone_number }) => say(phone_number, 'no'),
      code: /^The answer about 2026-06-10 of 2026-11-10 is too old/,
    },
    {
      name: 'was reassigned, until the lead type checks nothing',
      hold: (phone) => say(phone, 'yes'),
      revert: () => saveType({ consent_field: null }),
      code: /permanently disconnected on 2026-06-10 or later/,
    },
    {
      name: 'was reassigned, until the same question has another answer',
      hold: (phone) => say(phone, 'yes', AGREED, '2026-11-19'),
      revert: ({ phone_number }) => say(phone_number, 'no'),
      code: /permanently disconnected/,
    },
    {
      name: 'has no data, until a later contact is known and answered',
      hold: (phone) => say(phone, 'no_data'),
      revert: async ({ id, phone_number }) => {
        await patched(id, { metadata: { ...metadata, agreed: '2026-11-01' } })
        await placeQueued()
        expect(await getLead(id)).toMatchObject(HELD)
        await say(phone_number, 'no', '2026-11-01')
      },
      code: /no data about the number since 2026-06-10/,
    },
  ]

  it.each(CASES)(
    'a lead has no next call, says why, and is called within a minute of the change: it $name',
    async ({ hold, revert, code }) => {
      const lead = await inMaine()
      await hold?.(lead.phone_number)
      await checking()
      await placeQueued()
      expect(await getLead(lead.id)).toMatchObject(HELD)
      expect(await leadNow(lead.id)).toMatchObject({ next_call_time: null })
      const { callable, gates } = await explained(lead.id)
      expect(callable).toBe(false)
      expect(gates['reassigned']).toMatchObject({ passed: false, detail: expect.stringMatching(code), citation: '10 M.R.S. 1499-B' })
      expect(gates['due'].detail).toContain('until the reassigned numbers database is asked again')
      await change(NOON + 5 * MINUTE, () => revert(lead))
      expect(await getLead(lead.id)).toMatchObject({ attempts: 1, held_by: null })
    },
  )

  it('a new consent is asked about: its answer releases a lead whose number was reassigned before', async () => {
    await checking()
    const { id, phone_number } = await inMaine()
    await say(phone_number, 'yes')
    await placeQueued()
    expect(await getLead(id)).toMatchObject(HELD)
    await given(phone_number)
    await placeQueued()
    expect(await gate(id)).toMatchObject({ passed: false, inputs: { date: '2026-11-20', answer: null, asked_on: null } })
    await change(NOON + 5 * MINUTE, () => say(phone_number, 'no', '2026-11-20'))
    expect(await getCall(`${id}-1`)).toMatchObject({ verdicts: { reassigned: 'NOT_REASSIGNED' } })
  })

  it('an answer releases a lead also when the import dies before its end', async () => {
    await checking()
    const { id, phone_number } = await inMaine()
    await placeQueued()
    expect(await getLead(id)).toMatchObject(HELD)
    let marks = 0
    const dying = () =>
      beforeEachSend(
        (command) => {
          if (JSON.stringify(command).includes('AGENT#reassigned ') && ++marks === 2) throw new Error('The connection broke.')
        },
        () => expect(say(phone_number, 'no')).rejects.toThrow('The connection broke.'),
      )
    await change(NOON + 5 * MINUTE, dying)
    expect({ marks, lead: await getLead(id) }).toMatchObject({ marks: 2, lead: { attempts: 1, held_by: null } })
  })

  it('an import has the waiting leads of each user looked at that checks numbers, and of no other', async () => {
    await giveName({ kind: 'USER', keys: ['other'], id: 2 })
    await checking()
    await say(newPhone(), 'no')
    const marked = (await agentsToLookAt(NOON + DAY, 100)).map(({ agent }) => agent)
    expect(marked.filter((name) => name.startsWith('reassigned'))).toEqual([`reassigned ${OWNER}`])
  })

  it('a consent alone releases a lead at once when an earlier answer covers its day', async () => {
    await checking()
    const { id, phone_number } = await inMaine({ metadata: { timezone: 'America/New_York' } })
    await say(phone_number, 'no', '2026-11-01')
    await placeQueued()
    expect(await gate(id)).toMatchObject({ detail: expect.stringContaining('Neither a consent nor a contact') })
    await given(phone_number)
    await placeQueued()
    expect(await getLead(id)).toMatchObject({ attempts: 1, held_by: null })
  })
})

describe('a dial with reassigned numbers', () => {
  it('a number that was not disconnected is called, and the call keeps the verdict', async () => {
    await checking()
    const { id, phone_number } = await inMaine()
    await say(phone_number, 'no')
    await placeQueued()
    expect(await getCall(`${id}-1`)).toMatchObject({ verdicts: { reassigned: 'NOT_REASSIGNED' } })
  })

  it('a lead type without the setting calls Maine unchecked, and shows no such gate', async () => {
    const { id } = await inMaine()
    await placeQueued()
    expect((await getCall(`${id}-1`))?.verdicts).not.toHaveProperty('reassigned')
    expect(await gate(id)).toBeUndefined()
  })

  it('an answer with an attribute of a later version does not keep another one from being stored', async () => {
    const { phone_number } = await inMaine()
    await say(phone_number, 'no')
    const key = reassignedKey(await phoneHash(phone_number))
    await updateItem(key, {
      UpdateExpression: 'SET answers[0].#new = :new',
      ExpressionAttributeNames: { '#new': 'new' },
      ExpressionAttributeValues: { ':new': 1 },
    })
    await say(phone_number, 'no', '2026-06-11')
    expect((await storedAnswers(phone_number)).map(({ date }) => date)).toEqual([AGREED, '2026-06-11'])
  })

  it('explain asks for the check from the local day of the law of Maine on', async () => {
    await checking()
    const { id } = await inMaine()
    const at = async (time: string) => (await explained(id, { at: time })).gates['reassigned']
    expect(await at('2024-08-08T18:00:00Z')).toMatchObject({ passed: true, detail: 'No law demands a check of the number.' })
    expect(await at('2024-08-09T18:00:00Z')).toMatchObject({ passed: false, citation: '10 M.R.S. 1499-B' })
  })

  it('a call that was planned before a change of the database waits for a new answer', async () => {
    await checking()
    const { id, phone_number } = await inMaine({ call_schedule_start_time: '2026-12-17T18:00:00Z' })
    await say(phone_number, 'no')
    await change(NOON + 27 * DAY + 3 * 60 * MINUTE, async () => {})
    expect(await getLead(id)).toMatchObject(HELD)
  })

  it('a dial reads half a unit more for the answers and one for the consent, and nothing where no law demands the check', async () => {
    const reads = async (body: Record<string, unknown>) => {
      const { phone_number } = await created({ metadata, ...body })
      await say(phone_number, 'no')
      forgetConfiguration()
      let looks = 0
      const { read } = await unitsOf(() =>
        beforeEachSend((command) => {
          if (/"pk":"REASSIGNED#/.test(JSON.stringify(command))) looks++
        }, placeQueued),
      )
      return { read, looks }
    }
    const unchecked = await reads({ us_state: 'ME' })
    await checking()
    const checked = await reads({ us_state: 'ME' })
    const elsewhere = await reads({ us_state: 'NY' })
    expect([unchecked.looks, checked.looks, elsewhere.looks]).toEqual([0, 1, 0])
    expect(checked.read - unchecked.read).toBe(1.5)
    expect(elsewhere.read).toBe(unchecked.read)
  })

  it('a preview counts the leads that need an answer', async () => {
    await checking()
    await inMaine()
    const { body } = await request(preview, { method: 'GET', path: '/api/lead-types/4/preview/', parameters: { id: '4' } })
    expect(body.skipped).toContainEqual({ gate: 'reassigned', leads: expect.any(Number) })
  })

  it('an explanation shows no day that another user asked about', async () => {
    await checking()
    const { id, phone_number } = await inMaine()
    await say(phone_number, 'no', '2026-09-09')
    expect(JSON.stringify(await gate(id))).not.toContain('2026-09-09')
    await say(phone_number, 'no', '2026-03-03')
    expect(await gate(id)).toMatchObject({ passed: true, inputs: { date: AGREED, answer: 'no', asked_on: '2026-11-20' } })
    setClock(NOON)
  })
})
