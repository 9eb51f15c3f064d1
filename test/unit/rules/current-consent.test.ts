import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { CONSENT_TYPES, type ConsentState, type ConsentType, strictest } from '#shared/consents/consent.ts'
import { noConsent, sequenceOf, withConsent, withoutRevoked, withRevocation } from '#shared/consents/rules/current-consent.ts'
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
  const endings = sent.flatMap((event, place) => {
    if (event.type !== null || !event.channels.includes('call')) return []
    const before = sent.slice(0, place).filter(({ type }) => type !== null)
    return [{ place, until: Math.max(...[event, ...before].map(counted)) }]
  })
  const left = sent.flatMap((event, place) => {
    const hasEnded = endings.some((ending) => ending.place > place || ending.until >= counted(event))
    return event.type === null || hasEnded || counted(event) <= elsewhere ? [] : [event.type]
  })
  return left.length === 0 ? null : strictest(left)
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

it('a record that is sent again is a repeat, and does not undo a revocation that came between', () => {
  const consent = { type: 'written' as const, time: 10, received_time: 20, fingerprint: 'a' }
  const first = withConsent(noConsent(1, '+12125550001'), consent)
  expect(sequenceOf(noConsent(1, '+12125550001'), consent)).toBeUndefined()
  expect(sequenceOf(first, { ...consent, received_time: 30 })).toBe(1)
  // The client says that the person revoked before the consent.
  const revoked = withRevocation(first, { channels: CHANNELS, time: 5, received_time: 30, fingerprint: 'b' })
  expect(sequenceOf(revoked, { ...consent, received_time: 40 })).toBe(1)
  // So many records came since that the content is forgotten.
  expect(withConsent({ ...revoked, known: [] }, { ...consent, received_time: 40 }).given).toBeNull()
  expect(withConsent(revoked, { ...consent, time: 11, received_time: 40, fingerprint: 'c' }).given).toMatchObject({ type: 'written' })
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
