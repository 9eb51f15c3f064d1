import { describe, expect, it } from '@jest/globals'
import {
  besideListed,
  deliveryId,
  deliveryKey,
  deliveryPartition,
  failedPlacement,
  paceKey,
  parseDeliveryId,
  parseDeliveryKey,
  retryKey,
  subscriptionKey,
} from '#shared/platform/keys.ts'

const ofLead = { subscription: 42, shard: 3, lead: 1003, time: Date.parse('2026-11-20T16:00:00.123Z'), eventId: '7f-00#LEAD_CREATED' }
const parts = { subscription: 42, shard: 3, time: Date.parse('2026-11-20T16:00:00.123Z'), eventId: '7f-00#LEAD_CREATED' }

describe('keys of subscriptions and deliveries', () => {
  it('keys of subscriptions and deliveries have a fixed format', () => {
    expect(subscriptionKey(7, 42)).toEqual({ pk: 'USER#7', sk: 'WEBHOOK#42' })
    expect(deliveryId(parts)).toBe('42-3-1795190400123-7f-00#LEAD_CREATED')
    expect(deliveryKey(parts)).toEqual({ pk: 'DELIVERY#42#2026-11-20#3', sk: '2026-11-20T16:00:00.123Z#7f-00#LEAD_CREATED' })
    expect(deliveryId(ofLead)).toBe('42-L1003-1795190400123-7f-00#LEAD_CREATED')
    expect(deliveryKey(ofLead)).toEqual({ pk: 'DELIVERY#LEAD#1003', sk: '2026-11-20T16:00:00.123Z#42#7f-00#LEAD_CREATED' })
    expect(deliveryPartition(42, 3, parts.time)).toBe('DELIVERY#42#2026-11-20#3')
    expect(paceKey(42)).toEqual({ pk: 'PACE#42', sk: 'PACE' })
    expect(retryKey({ lead: 1003, shard: 3 })).toBe('WEBHOOK#11')
    expect(retryKey({ shard: 3 })).toBe('WEBHOOK#3')
    const placement = { due_key: 'FAILED#42#3', due_at: '2026-11-20T16:00:00.123Z#0#7#2kt43yws6t' }
    expect(failedPlacement(ofLead, 7)).toEqual(placement)
    expect(besideListed(placement.due_at, -1)).toBe('2026-11-20T16:00:00.123Z#0#7#2kt43yws6s')
  })

  it('keys of subscriptions and deliveries can be parsed back into their parts', () => {
    for (const each of [parts, ofLead]) {
      expect(parseDeliveryId(deliveryId(each))).toEqual(each)
      expect(parseDeliveryKey(deliveryKey(each))).toEqual(each)
    }
  })

  it.each(['', '42', '42-3-x-e', '0-3-1-e', '42-33-1-e', '42-3-1-', `42-3-1-${'e'.repeat(201)}`])(
    'no key is parsed from the malformed delivery id %p',
    (text) => {
      expect(parseDeliveryId(text)).toBeUndefined()
    },
  )

  it('keys of subscriptions and deliveries are not parsed from keys of other items', () => {
    expect(() => parseDeliveryKey({ pk: 'LEAD#1', sk: 'LEAD' })).toThrow('Not the key of a delivery')
  })
})
