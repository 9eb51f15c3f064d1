import { describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { giveName } from '#shared/accounts/names.ts'
import { changeUserSettings } from '#shared/accounts/user-store.ts'
import { saveEmergencies } from '#shared/backlog/emergency-store.ts'
import { allToLookAt } from '#shared/backlog/marks.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { DAY, HOUR, MINUTE } from '#shared/platform/values/durations.ts'
import { delistLitigator } from '#shared/stops/litigator-store.ts'
import { forgetConfiguration } from '#test/support/cache-clock.ts'
import { settingsWorld } from '#test/support/changed-settings.ts'
import { setClock } from '#test/support/clock.ts'
import { explained } from '#test/support/explained.ts'
import { created, leadNow, patched } from '#test/support/lead-requests.ts'
import { listLitigator } from '#test/support/litigators.ts'
import { NOON } from '#test/support/samples.ts'
import { OWNER } from '#test/support/world.ts'

const { placeQueued, inCall, told, saveType, openAccount, change } = settingsWorld()

const CLOSED = { windows: Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, null])) }
const closeAccount = () => changeUserSettings(OWNER, { calling_hours: CLOSED as never })
interface Case {
  readonly name: string
  readonly body?: Record<string, unknown>
  readonly hold: (phone: string) => Promise<unknown>
  readonly revert: (phone: string) => Promise<unknown>
  readonly holder: RegExp
  readonly waitsFor: RegExp
}

const CASES: readonly Case[] = [
  {
    name: 'account hours that leave nothing open',
    hold: closeAccount,
    revert: openAccount,
    holder: /^account 1$/,
    waitsFor: /until the calling hours of the account change/,
  },
  {
    name: 'a proof of consent that the lead lacks',
    hold: () => saveType({ consent_field: 'tcpa' }),
    revert: () => saveType(),
    holder: /^lead-type 4$/,
    waitsFor: /until the lead type changes/,
  },
  {
    name: 'an entry among the litigators',
    hold: listLitigator,
    revert: delistLitigator,
    holder: /^litigator /,
    waitsFor: /until the phone is taken off the list of litigators/,
  },
  {
    name: 'a lead type that is switched off',
    hold: () => saveType({ active: false }),
    revert: () => saveType(),
    holder: /^lead-type 4$/,
    waitsFor: /until the lead type changes/,
  },
  {
    name: 'an emergency',
    body: { us_state: 'NY' },
    hold: () => saveEmergencies(['NY']),
    revert: () => saveEmergencies([]),
    holder: /^emergency NY$/,
    waitsFor: /until the emergency in NY ends/,
  },
]

describe.each(CASES)('a lead that is held back by $name', ({ body = {}, hold, revert, holder, waitsFor }) => {
  it('a lead held by a setting has no next call, says why, and is called within a minute of its revert', async () => {
    const lead = await created(body)
    await hold(lead.phone_number)
    forgetConfiguration()
    await placeQueued()
    const held = await getLead(lead.id)
    expect(held).toMatchObject({ status: 'OPEN', due_list: 'HELD', held_by: expect.stringMatching(holder), attempts: 0 })
    expect(await leadNow(lead.id)).toMatchObject({ status: 'OPEN', next_call_time: null, next_call_time_reason: null })
    const { callable, gates } = await explained(lead.id)
    expect(callable).toBe(false)
    expect(gates['due']).toMatchObject({ passed: false, detail: expect.stringMatching(waitsFor), inputs: { next_call_time: null } })
    await change(NOON + 5 * MINUTE, () => revert(lead.phone_number))
    expect(await getLead(lead.id)).toMatchObject({ attempts: 1, held_by: null })
  })

  it('a lead held by a setting causes no more messages once the setting has not changed for an hour', async () => {
    await created(body).then(({ phone_number }) => hold(phone_number))
    forgetConfiguration()
    await placeQueued()
    await change(NOON + 5 * MINUTE, () => saveType({ script: 'Another one.', active: false }))
    setClock(NOON + HOUR)
    await dispatchDue()
    await placeQueued()
    await dispatchDue()
    expect(await allToLookAt(NOON + DAY, 100)).toEqual([])
    const looks = (await placeQueued()).filter((message) => /"(probe|release|retry-held)"/.test(JSON.stringify(message)))
    expect(looks).toEqual([])
  })
})

describe('account hours that leave no time to call', () => {
  const heldBy = async (id: number) => (await getLead(id))?.held_by

  it('closed account hours hold created, reopened and finished leads, and release them when the hours open', async () => {
    const ended = await inCall()
    const cancelled = await created()
    await patched(cancelled.id, { status: 'CANCELLED' })
    await closeAccount()
    forgetConfiguration()
    const fresh = await created()
    expect(fresh).toMatchObject({ status: 'OPEN', next_call_time: null })
    expect(await patched(cancelled.id, { status: 'OPEN' })).toMatchObject({ next_call_time: null })
    await told(ended.call, 'call.completed', { outcome: 'no_answer' }, 60)
    const ids = [fresh.id, cancelled.id, ended.lead]
    expect(await Promise.all(ids.map(heldBy))).toEqual(ids.map(() => `account ${OWNER}`))
    await change(NOON + 5 * MINUTE, openAccount)
    expect(await Promise.all([fresh.id, cancelled.id].map(async (id) => (await getLead(id))?.attempts))).toEqual([1, 1])
    // Its turn was in half an hour, and still is.
    expect(await leadNow(ended.lead)).toMatchObject({ next_call_time: expect.stringMatching(/^2026-11-20T16:3/) })
  })

  it('closed account hours keep a promised callback time, and restore it when the hours open', async () => {
    const { call, lead } = await inCall()
    await closeAccount()
    forgetConfiguration()
    await told(call, 'call.completed', { outcome: 'callback_requested', callback_time: '2026-11-20T19:00:00Z' }, 60)
    expect(await leadNow(lead)).toMatchObject({ status: 'CALLBACK_TO_TRANSFER', next_call_time: null })
    await change(NOON + 5 * MINUTE, openAccount)
    const promised = { next_call_time: '2026-11-20T19:00:00.000000+00:00', next_call_time_reason: 'CALLBACK' }
    expect(await leadNow(lead)).toMatchObject(promised)
    expect(await getLead(lead)).toMatchObject({ promised_time: NOON + 3 * HOUR, due_list: 'CALL' })
  })

  it('closed account hours release a lead once an update moves it to a time zone in which they are open', async () => {
    const window = (day: string) => [day, ['08:00', '08:30']]
    const windows = Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map(window))
    await changeUserSettings(OWNER, { calling_hours: { windows } as never })
    forgetConfiguration()
    // Without a known place, only the afternoon of New York is lawful everywhere.
    const lead = await created({ timezone: undefined })
    expect(lead.next_call_time).toBeNull()
    expect(await patched(lead.id, { metadata: { timezone: 'America/New_York' } })).toMatchObject({
      next_call_time_reason: expect.any(String),
    })
  })

  it('a lead that account hours and default hours hold together is called when the default hours change', async () => {
    await giveName({ kind: 'USER', keys: ['acme'], id: OWNER })
    const windows = Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, ['10:00', '13:00']]))
    await dispatchDue()
    await changeUserSettings(OWNER, { calling_hours: { windows } as never })
    forgetConfiguration()
    const lead = await created({ timezone: undefined })
    expect(lead.next_call_time).toBeNull()
    for (const minutes of [1, 2, 3, 4]) await change(NOON + minutes * MINUTE, async () => undefined)
    expect(await allToLookAt(NOON + DAY, 100)).toEqual([])
    try {
      process.env['DEFAULT_WINDOW'] = '10:00-20:00'
      await change(NOON + 6 * MINUTE, async () => undefined)
      expect(await getLead(lead.id)).toMatchObject({ attempts: 1 })
    } finally {
      delete process.env['DEFAULT_WINDOW']
    }
  })
})

describe('a lead that lacks a required field', () => {
  it('a lead that lacks a required field names the field, and is planned when an update sets it', async () => {
    await saveType({ international: true })
    forgetConfiguration()
    const lead = await created({ phone_number: '+442071838751', timezone: undefined })
    await placeQueued()
    expect(await leadNow(lead.id)).toMatchObject({ status: 'OPEN', next_call_time: null })
    const { gates } = await explained(lead.id)
    expect(gates['due']).toMatchObject({ detail: expect.stringContaining('until the lead has a timezone') })
    expect(await patched(lead.id, { metadata: { timezone: 'Europe/London' } })).toMatchObject({ next_call_time: expect.any(String) })
    await placeQueued()
    expect(await getLead(lead.id)).toMatchObject({ attempts: 1 })
  })

  it('a lead that lacks a proof of consent is planned when its metadata gets it', async () => {
    await saveType({ consent_field: 'tcpa' })
    forgetConfiguration()
    const lead = await created()
    await placeQueued()
    expect((await leadNow(lead.id)).next_call_time).toBeNull()
    await patched(lead.id, { metadata: { tcpa: 'https://example.com/proof' } })
    await placeQueued()
    expect(await getLead(lead.id)).toMatchObject({ attempts: 1 })
  })
})
