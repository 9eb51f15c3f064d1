import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { CONSENT_TYPES, type ConsentState, type ConsentType, strictest } from '#shared/consents/consent.ts'
import {
  noConsent,
  repeatedConsent,
  sequenceOf,
  withConsent,
  withoutRevoked,
  withRevocation,
} from '#shared/consents/rules/current-consent.ts'
import { demandedType } from '#shared/consents/rules/demand.ts'
import { CHANNELS, type Channel } from '#shared/stops/compliance.ts'

interface Sent {
  readonly type: ConsentType | null
  readonly channels: readonly Channel[]
  readonly time: number
  readonly received_time: number
  readonly fingerprint: string
}

const AHEAD = 3

/** Events that arrive one after the other, and tell of times before and a little after their receipt. */
const EVENTS = fc
  .array(
    fc.record({
      type: fc.oneof(fc.constantFrom(...CONSENT_TYPES), fc.constant(null)),
      channels: fc.subarray([...CHANNELS], { minLength: 1 }),
      before: fc.integer({ min: -AHEAD, max: 12 }),
      passes: fc.integer({ min: 0, max: 3 }),
    }),
    { maxLength: 14 },
  )
  .map((events) => {
    let at = 20
    return events.map(({ type, channels, before, passes }, index): Sent => {
      at += passes
      return { type, channels, time: at - before, received_time: at, fingerprint: `${index}` }
    })
  })

const next = (state: ConsentState, { type, ...sent }: Sent): ConsentState =>
  type === null ? withRevocation(state, sent) : withConsent(state, { ...sent, type })

const counted = ({ time, received_time }: Sent): number => Math.min(time, received_time)

/**
 * The current consent, found by looking at all records each time.
 * @param elsewhere when the person revoked the consent to another user
 */
const slowly = (sent: readonly Sent[], elsewhere = 0): ConsentType | null => {
  const revocations = sent.flatMap((event, place) => (event.type === null && event.channels.includes('call') ? [{ event, place }] : []))
  const unrevoked = sent.flatMap((event, place) => {
    const isRevoked = revocations.some((revocation) => revocation.place > place || counted(revocation.event) >= counted(event))
    return event.type === null || isRevoked || counted(event) <= elsewhere ? [] : [event.type]
  })
  return unrevoked.length === 0 ? null : strictest(unrevoked)
}

it('the current consent is the strongest one that no revocation of calls follows, in every order of receipt', () => {
  fc.assert(
    fc.property(EVENTS, fc.integer({ min: 5, max: 45 }), (events, elsewhere) => {
      let state = noConsent(1, '+12125550001')
      events.forEach((event, index) => {
        state = next(state, event)
        const sent = events.slice(0, index + 1)
        expect(state.given?.type ?? null).toBe(slowly(sent))
        expect(withoutRevoked(state, elsewhere).given?.type ?? null).toBe(slowly(sent, elsewhere))
        expect(state.last_sequence).toBe(index + 1)
        const isRevoked = sent.some(({ type, channels }) => type === null && channels.includes('call'))
        expect(state.revoked_time !== null).toBe(isRevoked)
      })
    }),
    { numRuns: 2000 },
  )
})

it('a record that is sent again is a repeat, unless a consent counts again after a revocation that came before it', () => {
  const consent = { type: 'written' as const, time: 10, received_time: 20, fingerprint: 'a' }
  const first = withConsent(noConsent(1, '+12125550001'), consent)
  expect(repeatedConsent(noConsent(1, '+12125550001'), consent)).toBeUndefined()
  expect(repeatedConsent(first, { ...consent, received_time: 30 })).toBe(1)
  const revocation = { channels: CHANNELS, received_time: 30, fingerprint: 'b' }
  const later = withRevocation(first, { ...revocation, time: 15 })
  expect(repeatedConsent(later, { ...consent, received_time: 40 })).toBe(1)
  expect(sequenceOf(later, { ...revocation, time: 15 })).toBe(2)
  const earlier = withRevocation(first, { ...revocation, time: 5 })
  expect(repeatedConsent(earlier, { ...consent, received_time: 40 })).toBeUndefined()
})

it('a consent that is sent again after a weaker one, or that a revocation has ended, is no second record unless it counts', () => {
  const sent = (type: ConsentType, time: number, received_time: number) => ({ type, time, received_time, fingerprint: `${type} ${time}` })
  const strong = withConsent(noConsent(1, '+12125550001'), sent('written', 10, 20))
  const both = withConsent(strong, sent('none', 15, 21))
  expect(both.given).toMatchObject({ type: 'written', sequence: 1 })
  expect(repeatedConsent(both, sent('written', 10, 22))).toBe(1)
  const revoked = withRevocation(both, { channels: ['call'], time: 5, received_time: 23, fingerprint: 'revoked' })
  const weak = withConsent(revoked, sent('oral', 12, 24))
  expect(repeatedConsent(weak, sent('written', 10, 25))).toBeUndefined()
  const again = withConsent(weak, sent('written', 10, 25))
  expect(again.given).toMatchObject({ type: 'written' })
  expect(repeatedConsent(again, sent('written', 10, 26))).toBe(again.last_sequence)
})

it('a revocation with a clock that is ahead does not cover a consent that is given after it', () => {
  const revoked = withRevocation(noConsent(1, '+12125550001'), { channels: ['call'], time: 90, received_time: 50, fingerprint: 'a' })
  expect(withConsent(revoked, { type: 'oral', time: 60, received_time: 60, fingerprint: 'b' }).given).toMatchObject({ type: 'oral' })
})

it('the demanded type is the strictest of the lead type and of the states where the lead may be', () => {
  const leadType = { consent_type: 'oral' as const, consent_by_state: { FL: 'written' as const, OK: 'written_seller' as const } }
  expect(demandedType(leadType, ['NY'])).toBe('oral')
  expect(demandedType(leadType, ['FL', 'NY'])).toBe('written')
  expect(demandedType(leadType, null)).toBe('written_seller')
  expect(demandedType({ ...leadType, consent_type: null }, ['NY'])).toBe('none')
  expect(demandedType({ ...leadType, consent_type: 'written_seller' }, ['FL'])).toBe('written_seller')
})
