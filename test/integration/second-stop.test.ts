import { describe, expect, it } from '@jest/globals'
import { getLead } from '#shared/leads/lead-store.ts'
import { MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import { phonePk } from '#shared/stops/phone-store.ts'
import { stopHistory } from '#shared/stops/stop-history.ts'
import { forgetConfiguration } from '#test/support/cache-clock.ts'
import { settingsWorld } from '#test/support/changed-settings.ts'
import { passTime, setClock } from '#test/support/clock.ts'
import { consentsOf, given } from '#test/support/consents.ts'
import { dieAfter } from '#test/support/die-after.ts'
import { explained } from '#test/support/explained.ts'
import { patched, phoneOf } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'

const { inCall, tell, told, placeQueued, saveType } = settingsWorld()

const demand = async (consent_type: 'written' | null) => {
  await saveType({ consent_type })
  forgetConfiguration()
}

const iso = (minutes: number): string => new Date(NOON + minutes * MINUTE).toISOString()

const text = (body: string) => ['sms.completed', { direction: 'inbound', body }] as const
const asked = (words?: string) => ['dnc.requested', { channel: 'call', ...(words && { words }) }] as const

const revocations = async (phone: string) =>
  (await consentsOf(phone)).results.filter(({ kind }: { readonly kind: string }) => kind === 'revoked')

const stopsOf = async (phone: string) => stopHistory(await phonePk('1', phone))

/** A call in which the person asked for a stop after 5 minutes, and consented after 10. It is 20 minutes past noon. */
const stoppedThenConsented = async (...[type, data]: readonly [string, unknown]) => {
  setClock(NOON)
  await demand(null)
  const { lead, call, phone } = await inCall()
  await told(call, 'call.completed', { outcome: 'completed' }, 30)
  await demand('written')
  setClock(NOON + 5 * MINUTE)
  await told(call, type, data, 300)
  setClock(NOON + 10 * MINUTE)
  await given(phone, { time: iso(10) })
  setClock(NOON + 20 * MINUTE)
  return { lead, call, phone }
}

/** A client sends the flag that it knew before the stop. */
const lift = (lead: number) => patched(lead, { call_dnc: false, status: 'OPEN' })

describe('a person who asks again for a stop of calls in the same call', () => {
  it.each<[string, readonly [string, unknown], readonly [string, unknown]]>([
    ['in other words', text('Stop calling me'), text('I revoke my consent. Never call me again.')],
    ['in other words', asked('Stop calling'), asked('I revoke my consent')],
    ['in the same words', text('Stop calling me'), text('Stop calling me')],
    ['without words', asked('Stop calling'), asked()],
    ['by the outcome of the call', asked(), ['call.completed', { outcome: 'do_not_call' }]],
  ])('a person who asks again revokes a consent recorded after the first stop, and is not called: %s', async (_, first, second) => {
    const { lead, call, phone } = await stoppedThenConsented(...first)
    await told(call, ...second, 1200)
    expect(await revocations(phone)).toHaveLength(2)
    setClock(NOON + 30 * MINUTE)
    await lift(lead)
    expect((await explained(lead)).gates['consent']).toMatchObject({ passed: false })
    await placeQueued()
    expect(await getLead(lead)).toMatchObject({ call_dnc: false, attempts: 1 })
  })

  it.each<[string, readonly [string, unknown]]>([
    ['with words', asked('Stop calling')],
    ['without words', asked()],
    ['in a text', text('Stop calling me')],
  ])('a repeat of the first report ends no newer consent and undoes no lift: %s', async (_, first) => {
    const { lead, call, phone } = await stoppedThenConsented(...first)
    const [before, stops] = [await phoneOf(phone), await stopsOf(phone)]
    for (let repeat = 0; repeat < 2; repeat++) await told(call, ...first, 300)
    expect(await phoneOf(phone)).toEqual(before)
    expect(await stopsOf(phone)).toEqual(stops)
    await lift(lead)
    await told(call, ...first, 300)
    expect(await phoneOf(phone)).toMatchObject({ call_dnc: false })
    expect(await revocations(phone)).toHaveLength(1)
    expect((await explained(lead)).gates['consent']).toMatchObject({ passed: true })
  })

  it('a repeat of the second report changes nothing, also after a lift and a third consent', async () => {
    const { lead, call, phone } = await stoppedThenConsented(...asked('Stop calling'))
    await told(call, ...asked('Never again'), 1200)
    setClock(NOON + 30 * MINUTE)
    await lift(lead)
    await given(phone, { time: iso(30) })
    const [before, stops] = [await phoneOf(phone), await stopsOf(phone)]
    for (const [words, seconds] of [['Never again', 1200] as const, ['Stop calling', 300] as const]) {
      await told(call, ...asked(words), seconds)
    }
    expect(await phoneOf(phone)).toEqual(before)
    expect(await stopsOf(phone)).toEqual(stops)
    expect(await revocations(phone)).toHaveLength(2)
    expect((await explained(lead)).gates['consent']).toMatchObject({ passed: true })
  })

  it('an outcome of the same time as a stop without words revokes nothing again', async () => {
    const { call, phone } = await stoppedThenConsented(...asked('Stop calling'))
    await told(call, 'call.completed', { outcome: 'do_not_call' }, 300)
    expect(await revocations(phone)).toHaveLength(1)
  })

  it('a report whose handling dies after any write revokes the new consent once, when the agent repeats the report', async () => {
    for (let [writes, hasDied] = [0, true]; hasDied; writes++) {
      const { lead, call, phone } = await stoppedThenConsented(...asked('Stop calling'))
      hasDied = await dieAfter(writes, () => tell(call, ...asked('Never again'), 1200))
      await told(call, ...asked('Never again'), 1200)
      expect(await revocations(phone)).toHaveLength(2)
      await lift(lead)
      expect((await explained(lead)).gates['consent']).toMatchObject({ passed: false })
    }
  })
})

describe('a person who asks again while a client lifts the first stop', () => {
  it('the second stop holds or is recorded, and revokes, before whichever read or write the lift comes', async () => {
    let lifts = 0
    for (let [at, isLifted] = [1, true]; isLifted; at++) {
      const { lead, call, phone } = await inCall()
      await told(call, ...asked('Stop calling'), 60)
      passTime(SECOND)
      let count = 0
      isLifted = false
      await beforeEachSend(
        async () => {
          if (++count !== at) return
          isLifted = true
          await patched(lead, { call_dnc: false })
        },
        () => told(call, ...asked('I said never call me again'), 120),
      )
      if (isLifted) lifts++
      const words = (await stopsOf(phone)).map((stop) => stop.words)
      expect((await phoneOf(phone)).call_dnc || words.includes('I said never call me again')).toBe(true)
      expect(await revocations(phone)).toHaveLength(2)
    }
    expect(lifts).toBeGreaterThanOrEqual(8)
  })
})
