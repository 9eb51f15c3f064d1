import { describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { LeadType } from '#shared/accounts/configuration.ts'
import { callRequest } from '#shared/agents/rules/call-request.ts'
import { NOON, sampleCall, sampleLead, sampleLeadType } from '#test/support/samples.ts'

const typeWith = (handOver: unknown) => v.safeParse(LeadType, { ...sampleLeadType(), transfer: handOver, escalation: handOver })

describe('the request to the agent', () => {
  it('the request to the agent names the call, the lead with the dialled number, the script and the destinations', () => {
    const leadType = v.parse(LeadType, {
      ...sampleLeadType({ script: 'Say hello.' }),
      transfer: { mode: 'warm', destinations: ['+12125550199', 'sip:queue@example.com'] },
      escalation: { mode: 'blind', destinations: ['tel:+12125550198'], hold_limit_seconds: 30 },
    })
    const lead = sampleLead({ phone_number: '+12125550002' })
    expect(callRequest({ call: sampleCall(), lead, leadType, disclosures: [], baseUrl: 'https://api.example.com' })).toEqual({
      call_id: '7-1',
      requested_time: '2026-11-20T16:00:00.000000+00:00',
      not_after: '2026-11-20T16:00:30.000000+00:00',
      lead: expect.objectContaining({
        id: 7,
        phone_number: '+12125550001',
        metadata: expect.objectContaining({ phone_number: '+12125550001' }),
      }),
      script: 'Say hello.',
      disclosures: [],
      transfer: { mode: 'warm', destinations: ['+12125550199', 'sip:queue@example.com'], hold_limit_seconds: 180 },
      escalation: { mode: 'blind', destinations: ['tel:+12125550198'], hold_limit_seconds: 30 },
      calendar: false,
      callback_url: 'https://api.example.com/api/agents/calls/7-1/events/',
    })
  })

  it('the request to the agent makes an escalation blind even if version 1.0.2 stored it as warm', () => {
    const escalation = { mode: 'warm' as const, destinations: ['tel:+12125550198'], hold_limit_seconds: 30 }
    const leadType = sampleLeadType({ escalation })
    const told = callRequest({ call: sampleCall(), lead: sampleLead(), leadType, disclosures: [], baseUrl: 'https://x.example' })
    expect(told.escalation).toEqual({ ...escalation, mode: 'blind' })
  })

  it('the request to the agent says whether it can offer appointments', () => {
    const calendar = { url: 'https://calendar.example.com', secret: null }
    const leadType = v.parse(LeadType, { ...sampleLeadType(), calendar })
    expect(callRequest({ call: sampleCall(), lead: sampleLead(), leadType, disclosures: [], baseUrl: 'https://x.example' })).toMatchObject({
      calendar: true,
    })
  })

  it('the request to the agent is the same on a retry while the lead and its type are the same', () => {
    const briefing = { call: sampleCall(), lead: sampleLead(), leadType: sampleLeadType(), disclosures: [], baseUrl: 'https://x.example' }
    const later = { ...briefing, call: sampleCall({ asked_time: NOON + 5_000 }) }
    expect(JSON.stringify(callRequest(later))).toBe(JSON.stringify(callRequest(briefing)))
  })
})

describe('the transfer settings of a lead type', () => {
  it.each([
    { mode: 'warm', destinations: ['+12125550199'] },
    { mode: 'blind', destinations: ['sips:a@b.example', 'https://queue.example/x'], hold_limit_seconds: 60 },
  ])('the transfer settings of a lead type may be %j', (handOver) => {
    expect(typeWith(handOver).success).toBe(true)
  })

  it.each([
    { mode: 'cold', destinations: ['+12125550199'] },
    { mode: 'warm', destinations: [] },
    { mode: 'warm', destinations: ['2125550199'] },
    { mode: 'warm', destinations: ['+0125550199'] },
    { mode: 'warm', destinations: ['somewhere'] },
    { mode: 'warm', destinations: ['sip:'] },
    { mode: 'warm', destinations: ['+12125550199'], hold_limit_seconds: 0 },
    { destinations: ['+12125550199'] },
  ])('the transfer settings of a lead type may not be %j', (handOver) => {
    expect(typeWith(handOver).success).toBe(false)
  })
})
