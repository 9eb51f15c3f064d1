import { describe, expect, it } from '@jest/globals'
import { openApiDocument } from '#lib/openapi/document.ts'
import { buildPayload } from '#shared/events/api/payload.ts'
import { TRIGGERS } from '#shared/platform/values/values.ts'
import { testPayload } from '#shared/webhooks/rules/test-payload.ts'
import { eventPromises } from '#test/support/openapi/promise.ts'
import { NOON, sampleCall, sampleLead } from '#test/support/samples.ts'
import { aCall, anEvent } from '#test/support/webhook-fixtures.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read any part of the document
const document: any = JSON.parse(JSON.stringify(openApiDocument()))
const breaches = eventPromises(document)
const told = { owner: 1, event_id: 'e', event_time: NOON }
const plain = (payload: unknown) => JSON.parse(JSON.stringify(payload))
const OF_CALLS = ['CALL_COMPLETE', 'BEFORE_CALLING', 'CALL_FAILED', 'CALL_ENDED', 'CALL_TRANSFER_INITIATED']

describe('the OpenAPI schema of webhooks', () => {
  it('the OpenAPI schema of webhooks covers exactly the known triggers, and the requests to voice agents', () => {
    expect(Object.keys(document.webhooks)).toEqual([...TRIGGERS, 'placeCall', 'cancelCall'])
  })

  it.each(TRIGGERS)('the OpenAPI schema of webhooks matches the payload of %s in a test and in a replay', (trigger) => {
    const test = plain(testPayload({ ...told, trigger }))
    expect(breaches(trigger, test)).toEqual([])
    const [lead, call] = [sampleLead({ last_chat: '7-1' }), aCall()]
    const replayed = plain(buildPayload(anEvent({ ...told, trigger, lead, call }), { lead, call, lastChat: call }))
    expect(breaches(trigger, replayed)).toEqual([])
    expect(breaches(trigger === 'CALL_DNC' ? 'SMS_DNC' : 'CALL_DNC', test)).not.toEqual([])
    for (const [name, value] of [
      ['owner', 1] as const,
      ['sequence', 7] as const,
      ['last_chat', {}] as const,
      ['call_dnc', undefined] as const,
    ])
      expect({ name, breaches: breaches(trigger, plain({ ...test, [name]: value })) }).not.toEqual({ name, breaches: [] })
  })

  it('the OpenAPI schema of webhooks allows a lead without calls, except in events about a call', () => {
    for (const trigger of TRIGGERS) {
      const event = anEvent({ ...told, trigger })
      const payload = plain(buildPayload(event, { lead: sampleLead(), call: null, lastChat: null }))
      expect({ trigger, isWhole: breaches(trigger, payload).length === 0 }).toEqual({ trigger, isWhole: !OF_CALLS.includes(trigger) })
    }
  })

  it('the OpenAPI schema of webhooks allows a call whose details are still unknown', () => {
    const event = anEvent({ ...told, trigger: 'BEFORE_CALLING' })
    expect(breaches('BEFORE_CALLING', plain(buildPayload(event, { lead: sampleLead(), call: sampleCall(), lastChat: null })))).toEqual([])
  })
})
