import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { handler as pause } from '#functions/users/pause-calls.ts'
import { handler as unpause } from '#functions/users/unpause-calls.ts'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { uncalled } from '#lib/ops/check/kinds/uncalled.ts'
import type { LeadType } from '#shared/accounts/configuration.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { changeUserSettings } from '#shared/accounts/user-store.ts'
import { saveEmergencies } from '#shared/backlog/emergency-store.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { HOUR, MINUTE } from '#shared/platform/values/durations.ts'
import { delistLitigator } from '#shared/stops/litigator-store.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { forgetConfiguration } from '#test/support/cache-clock.ts'
import { setClock } from '#test/support/clock.ts'
import { created, newPhone, patched } from '#test/support/lead-requests.ts'
import { listLitigator } from '#test/support/litigators.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'
import { OWNER, request } from '#test/support/world.ts'

const { placeQueued, told } = callWorld()

const CLOSED = { windows: { sun: null, mon: null, tue: null, wed: null, thu: null, fri: null, sat: null } }

interface Settings {
  hours: boolean
  consent: boolean
  active: boolean
  litigator: boolean
  emergency: boolean
  pause: boolean
  /** No answer is ever stored, so the check refuses all leads. */
  reassigned: boolean
}
type Setting = keyof Settings

const NOTHING_SET: Settings = {
  ...{ hours: false, consent: false, active: false, litigator: false, emergency: false, pause: false },
  reassigned: false,
}

const CHECK = { where: 'everywhere', date_field: null, creation_counts: true, max_age_days: 31 } as const

const saveType = ({ consent, active, reassigned }: Settings) => {
  const reassigned_numbers = reassigned ? CHECK : null
  const changes: Partial<LeadType> = { consent_field: consent ? 'tcpa' : null, active: !active, reassigned_numbers }
  return saveLeadType(sampleLeadType({ owner: OWNER, ...changes }))
}

/** Writes one setting, with its value in `settings`. */
const write = async (setting: Setting, settings: Settings, phone: string): Promise<unknown> => {
  const user = { method: 'POST', path: `/api/users/${OWNER}/`, parameters: { id: `${OWNER}` } }
  switch (setting) {
    case 'hours':
      return changeUserSettings(OWNER, { calling_hours: settings.hours ? { ...CLOSED, holidays: 'none', closed_dates: [] } : null })
    case 'consent':
    case 'active':
    case 'reassigned':
      return saveType(settings)
    case 'litigator':
      return settings.litigator ? listLitigator(phone) : delistLitigator(phone)
    case 'emergency':
      return saveEmergencies(settings.emergency ? ['NY'] : [])
    case 'pause':
      return settings.pause ? request(pause, { ...user, body: { only_existing_leads: false } }) : request(unpause, { ...user, body: {} })
  }
}

type Step = { readonly toggle: Setting } | { readonly act: 'create' | 'update' | 'reopen' | 'outcome' } | { readonly minutes: number }

const STEP: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ toggle: fc.constantFrom<Setting>('hours', 'consent', 'active', 'litigator', 'emergency', 'pause', 'reassigned') }),
  fc.record({ act: fc.constantFrom('create' as const, 'update' as const, 'reopen' as const, 'outcome' as const) }),
  fc.record({ minutes: fc.integer({ min: 1, max: 40 }) }),
)

/** Whether a lead may be called, and nobody ever will: by its fields, and as the operator's check sees it. */
const isLost = async (id: number): Promise<boolean> => {
  const lead = await getLead(id)
  if (lead?.status !== 'OPEN' || lead.call_dnc) return false
  if (lead.next_call_time === null && lead.current_call === null) return true
  const looks = await Promise.all(uncalled.map((kind) => kind.look(`${id}`)))
  return looks.some((damage) => damage !== undefined)
}

it('a callable lead has a next call, a call in progress or a reason, and is called again when the settings are reverted', async () => {
  let start = NOON
  const run = async (steps: readonly Step[]): Promise<void> => {
    const settings = { ...NOTHING_SET }
    const phone = newPhone()
    const leads: number[] = []
    // Each run has days of its own, at the same time of day.
    let at = start
    start += 28 * 24 * HOUR
    setClock(at)
    const lead = async () => leads.push((await created({ phone_number: phone, us_state: 'NY', email: `${leads.length}@example.com` })).id)
    await lead()
    const sweep = async (minutes: number) => {
      at += minutes * MINUTE
      forgetConfiguration()
      setClock(at)
      await dispatchDue()
      await placeQueued()
    }
    const act = async (what: 'create' | 'update' | 'reopen' | 'outcome'): Promise<unknown> => {
      const id = leads.at(-1) ?? 0
      if (what === 'create') return leads.length < 3 ? lead() : undefined
      if (what === 'update') return patched(id, { metadata: { note: `${at}` } })
      if (what === 'reopen') return patched(id, { status: 'LOST' }).then(() => patched(id, { status: 'OPEN' }))
      const call = (await Promise.all(leads.map(getLead))).find((one) => one?.current_call)?.current_call
      return call && told(call, 'call.completed', { outcome: 'no_answer' }, (at - NOON) / 1000)
    }
    for (const step of steps) {
      if ('minutes' in step) await sweep(step.minutes)
      else if ('act' in step) await act(step.act)
      else {
        settings[step.toggle] = !settings[step.toggle]
        await write(step.toggle, settings, phone)
        forgetConfiguration()
      }
      expect(await Promise.all(leads.map(isLost))).toEqual(leads.map(() => false))
    }
    await placeQueued()
    for (const setting of Object.keys(settings)) {
      const name = setting as Setting
      if (settings[name]) await write(name, Object.assign(settings, { [name]: false }), phone)
    }
    await sweep(1)
    for (const id of leads) {
      const one = await getLead(id)
      expect(await isLost(id)).toBe(false)
      expect(one).not.toMatchObject({ due_list: 'HELD' })
      expect(one).not.toMatchObject({ due_list: 'PARKED' })
    }
    await sweep(3 * 60)
  }
  await fc.assert(fc.asyncProperty(fc.array(STEP, { minLength: 3, maxLength: 12 }), run), { numRuns: 8 })
})
