import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { CONSENT_TYPES, type ConsentType, isEnough, strictest } from '#shared/consents/consent.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { now } from '#shared/platform/clock.ts'
import { DAY, MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import { liftPhone } from '#shared/stops/lift-from-list.ts'
import { forgetConfiguration } from '#test/support/cache-clock.ts'
import { settingsWorld } from '#test/support/changed-settings.ts'
import { passTime, setClock } from '#test/support/clock.ts'
import { consentsOf, giveConsent, given, revoked } from '#test/support/consents.ts'
import { dieAfter } from '#test/support/die-after.ts'
import { explained } from '#test/support/explained.ts'
import { created, leadNow, listed, newPhone } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'
import { OTHER_KEY, OWNER } from '#test/support/world.ts'

const { place, placeQueued, queued, saveType, change } = settingsWorld()

const demand = async (changes: Parameters<typeof saveType>[0]) => {
  await saveType(changes)
  forgetConfiguration()
}

const attempts = async (id: number) => (await getLead(id))?.attempts

const gateOf = async (id: number) => (await explained(id)).gates['consent']

const RULE = { rule: 'prior express written consent', citation: '47 CFR 64.1200(a)(2)' }

describe('a lead type that demands a recorded consent', () => {
  it('a lead without a recorded consent is held, and called at once when the consent arrives', async () => {
    await demand({ consent_type: 'written' })
    const lead = await created()
    await placeQueued()
    expect(await getLead(lead.id)).toMatchObject({ attempts: 0, due_list: 'HELD', held_by: 'lead-type 4' })
    expect(await gateOf(lead.id)).toMatchObject({
      ...{ passed: false, inputs: { demanded: 'written', found: null, time: null }, ...RULE },
      detail: 'No consent is recorded for the phone. The lead type demands a written consent.',
    })
    const { gates } = await explained(lead.id)
    expect(gates['due'].detail).toContain('until the lead type changes, a sufficient consent is recorded, or the lead gets a proof.')
    await given(lead.phone_number, { type: 'oral' })
    await placeQueued()
    expect(await gateOf(lead.id)).toMatchObject({
      detail: 'The strongest record of the phone is an oral consent. The lead type demands a written consent.',
      inputs: { demanded: 'written', found: 'oral', time: '2026-11-20T15:30:00.000000+00:00' },
    })
    expect(await attempts(lead.id)).toBe(0)
    await given(lead.phone_number)
    await placeQueued()
    expect(await attempts(lead.id)).toBe(1)
    expect(await gateOf(lead.id)).toMatchObject({ passed: true, detail: 'The phone has a written consent.' })
  })

  it('a lead without a recorded consent is called within a minute after the lead type demands none', async () => {
    await demand({ consent_by_state: { NY: 'oral' } })
    const lead = await created({ us_state: 'NY' })
    await placeQueued()
    expect(await attempts(lead.id)).toBe(0)
    await change(NOON + 5 * MINUTE, () => saveType())
    expect(await attempts(lead.id)).toBe(1)
  })

  it('a consent that arrives while a dial holds its lead releases the lead', async () => {
    await demand({ consent_type: 'oral' })
    const lead = await created()
    const messages = await queued()
    let isGiven = false
    const isHold = (command: unknown): boolean => {
      const { Item: item } = (command as { readonly input: { readonly Item?: { readonly pk: string; readonly held_by?: string } } }).input
      return item?.pk === `LEAD#${lead.id}` && item.held_by !== undefined
    }
    await beforeEachSend(
      async (command) => {
        if (isGiven || !isHold(command)) return
        isGiven = true
        await given(lead.phone_number, { type: 'oral' })
      },
      () => place(messages),
    )
    expect(isGiven).toBe(true)
    await placeQueued()
    expect(await attempts(lead.id)).toBe(1)
  })

  it('a lead whose consent is recorded by a run that dies is called when the sweep comes, after any number of writes', async () => {
    await demand({ consent_type: 'oral' })
    for (let [writes, hasDied, start] = [0, true, NOON]; hasDied; writes++) {
      // Each run has a day of its own.
      setClock(start)
      forgetConfiguration()
      const lead = await created()
      await placeQueued()
      expect(await attempts(lead.id)).toBe(0)
      const time = new Date(start).toISOString()
      hasDied = await dieAfter(writes, async () => {
        expect(await giveConsent(lead.phone_number, { time })).toMatchObject({ status: 201 })
      })
      const isRecorded = (await consentsOf(lead.phone_number)).count === 1
      await change(start + 2 * MINUTE, async () => {})
      expect(await attempts(lead.id)).toBe(isRecorded ? 1 : 0)
      start += 7 * DAY
    }
  })

  it('a consent of another user is not used', async () => {
    await demand({ consent_type: 'oral' })
    const lead = await created()
    await given(lead.phone_number, {}, OTHER_KEY)
    await placeQueued()
    expect(await attempts(lead.id)).toBe(0)
    expect(await gateOf(lead.id)).toMatchObject({ passed: false, inputs: { found: null } })
  })

  it('a state demands its own type of the leads that may be there', async () => {
    await demand({ consent_type: 'oral', consent_by_state: { FL: 'written' } })
    const demanded = async (body: Record<string, unknown>) => {
      const lead = await created({ call_schedule_start_time: '2026-12-30T00:00:00Z', ...body })
      return (await gateOf(lead.id)).inputs.demanded
    }
    expect(await demanded({ us_state: 'NY' })).toBe('oral')
    expect(await demanded({ us_state: 'FL' })).toBe('written')
    expect(await demanded({ us_state: 'NY', zip: '33101' })).toBe('written')
    // Nothing tells the state: the lead may be in Florida.
    expect(await demanded({})).toBe('written')
  })

  it('a lead type demands its proof in the metadata besides the record', async () => {
    await demand({ consent_type: 'oral', consent_field: 'proof' })
    const phone_number = newPhone()
    await given(phone_number)
    const bare = await created({ phone_number, email: 'a@example.com' })
    expect(await gateOf(bare.id)).toMatchObject({ passed: false, detail: 'The metadata field proof holds no proof of consent.' })
    const proven = await created({ phone_number, email: 'b@example.com', proof: 'form 17' })
    expect(await gateOf(proven.id)).toMatchObject({ passed: true, inputs: { consent_field: 'proof', demanded: 'oral', found: 'written' } })
  })
})

describe('given, revoked and stopped consents', () => {
  type Step = ConsentType | 'revoke calls' | 'revoke texts' | 'stop' | 'lift'
  // Each run has a later day. A revocation for text messages says nothing about calls on all of them.
  beforeAll(() => {
    process.env['REVOKE_ALL_FROM'] = ''
  })
  afterAll(() => {
    delete process.env['REVOKE_ALL_FROM']
  })
  const STEPS: readonly Step[] = [...CONSENT_TYPES, 'revoke calls', 'revoke texts', 'stop', 'lift']

  it('a lead is called only with a sufficient consent after the last revocation and without a stop, in every order', async () => {
    await demand({ consent_type: 'written' })
    let start = NOON
    const run = async (steps: readonly Step[]): Promise<void> => {
      // Each run has a day of its own, at the same time of day.
      start += 7 * DAY
      setClock(start)
      forgetConfiguration()
      const phone = newPhone()
      let found: ConsentType | null = null
      let isStopped = false
      for (const step of steps) {
        // Never set the clock back: a slow machine may be further on by now, and a lift must come after its stop.
        passTime(SECOND)
        const time = new Date(now()).toISOString()
        if (step === 'stop') await listed({ phone_number: phone, sms_dnc: false })
        else if (step === 'lift') await liftPhone({ owner: OWNER, phoneNumber: phone, channels: ['call'] }, 'A test')
        else if (step === 'revoke calls') await revoked(phone, { time, channels: ['call'] })
        else if (step === 'revoke texts') await revoked(phone, { time, channels: ['sms'] })
        else await given(phone, { type: step, time, seller: 'Solar Inc' })
        if (step === 'stop' || step === 'revoke calls') isStopped = true
        else if (step === 'lift') isStopped = false
        else if (step !== 'revoke texts') found = strictest([found ?? 'none', step])
        if (step === 'revoke calls') found = null
      }
      const lead = await created({ phone_number: phone })
      await placeQueued()
      const isCalled = !isStopped && found !== null && isEnough(found, 'written')
      expect(await attempts(lead.id)).toBe(isCalled ? 1 : 0)
      expect(await gateOf(lead.id)).toMatchObject({ passed: found !== null && isEnough(found, 'written'), inputs: { found } })
      if (!isCalled && !isStopped) expect(await leadNow(lead.id)).toMatchObject({ status: 'OPEN', next_call_time: null })
    }
    await fc.assert(fc.asyncProperty(fc.array(fc.constantFrom(...STEPS), { maxLength: 8 }), run), { numRuns: 25 })
  })
})
