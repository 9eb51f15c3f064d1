import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { BY_LAST_DIGITS } from '#lib/local/voice-agent/behaviours.ts'
import type { CallStep } from '#lib/local/voice-agent/steps.ts'
import { REPORTED_OUTCOMES } from '#shared/calling/call.ts'
import { callTo, dials, inTime, place, startAgent, startReceiver } from '#test/support/simulated-agent.ts'

const talk = (...between: readonly string[]) => [
  'call.answered',
  'call.data_collected',
  ...between.map((type) => (type.includes('.') ? type : `call.${type}`)),
  'call.ended',
  'call.completed',
]
const NO_TALK = ['call.ended', 'call.completed']

/** The outcome that the agent reports. Undefined when it reports none. */
const outcomeOf = ({ steps }: { readonly steps: readonly CallStep[] }) =>
  steps.find(({ type }) => type === 'call.completed')?.data({ serviceTime: 0, destination: '', isBooked: undefined })['outcome']

describe('the voice agent simulator', () => {
  it.each([
    ['0001', talk('transfer_initiated', 'transfer_connected'), { outcome: 'transferred_warm', is_contact: true }],
    ['0002', NO_TALK, { outcome: 'no_answer', is_contact: false }],
    ['0003', NO_TALK, { outcome: 'voicemail', message_left: true, is_contact: false }],
    ['0004', talk(), { outcome: 'callback_requested', callback_time: expect.any(String) }],
    [
      '0005',
      talk(),
      { outcome: 'appointment_booked', appointment: { start_time: expect.any(String), duration_minutes: 30, title: 'Consultation' } },
    ],
    ['0006', talk(), { outcome: 'not_interested', is_contact: true }],
    ['0007', talk('dnc.requested'), { outcome: 'do_not_call' }],
    ['0008', talk(), { outcome: 'wrong_number', is_contact: false }],
    ['0014', talk('transfer_initiated'), { outcome: 'transferred_blind' }],
    ['0015', talk('transfer_initiated'), { outcome: 'escalated' }],
    ['0016', talk('transfer_initiated', 'transfer_ended'), { outcome: 'transfer_unavailable' }],
    ['0017', talk(), { outcome: 'assigned' }],
    ['0018', talk('sms.completed'), { outcome: 'application_link_sent' }],
    ['0019', talk(), { outcome: 'litigator' }],
    ['0020', NO_TALK, { outcome: 'disconnected', is_contact: false }],
    ['0021', talk(), { outcome: 'out_of_territory' }],
    ['0022', NO_TALK, { outcome: 'busy', is_contact: false }],
    ['0023', NO_TALK, { outcome: 'failed', is_contact: false }],
    ['0024', talk(), { outcome: 'hung_up', is_contact: true }],
    ['0025', talk(), { outcome: 'completed', is_contact: true }],
    ['0026', NO_TALK, { outcome: 'voicemail', message_left: false }],
    ['0027', talk('sms.completed'), { outcome: 'completed' }],
    ['0028', talk(), { outcome: 'unheard_of' }],
    ['0030', NO_TALK, { outcome: 'call_screened', is_contact: false }],
  ])('the simulated agent ends a call to …%s with the outcome of its last digits', async (digits, types, completed) => {
    const receiver = await startReceiver()
    const agent = await startAgent(receiver.url)
    const call = callTo(`+1212555${digits}`, receiver.url)
    const response = await place(agent, call)
    expect(response.status).toBe(200)
    const { provider_call_id } = (await response.json()) as { provider_call_id: string }
    expect(provider_call_id).toMatch(/^sim-/)

    const events = inTime(await receiver.waitFor(types.length))
    expect(events.map((event) => event.type)).toEqual(types)
    expect(events.at(-1)?.data).toMatchObject(completed)
    for (const { path, webhookId, event } of receiver.received) {
      expect({ path, webhookId }).toEqual({ path: `/api/agents/calls/${call.call_id}/events/`, webhookId: event.event_id })
      expect(event).toMatchObject({ call_id: call.call_id, provider_call_id })
    }
    expect(new Set(events.map((event) => event.event_id)).size).toBe(types.length)
    expect((await dials(agent)).calls[0]).toMatchObject({ key: call.call_id, dialled: true, provider_call_id, ended: true })
  })

  it('the simulated agent refuses a call to …0029 permanently, without dialling', async () => {
    const agent = await startAgent('http://127.0.0.1:9')
    const call = callTo('+12125550029', 'http://127.0.0.1:9')
    const answer = await place(agent, call)
    expect([answer.status, await answer.json()]).toEqual([422, { detail: 'The number cannot be called.' }])
    expect((await place(agent, call)).status).toBe(422)
    expect(await dials(agent)).toMatchObject({ total: 0, calls: [{ dialled: false, provider_call_id: null, behaviour: 'answers_422' }] })
  })

  it('the simulated agent has a number for every known outcome', () => {
    const outcomes = new Set([...BY_LAST_DIGITS.values()].map(outcomeOf))
    expect(REPORTED_OUTCOMES.filter((outcome) => !outcomes.has(outcome) && outcome !== 'unknown')).toEqual([])
  })

  it('docs/voice-agents.md lists all numbers of the simulated agent', () => {
    const guide = readFileSync(new URL('../../../docs/voice-agents.md', import.meta.url), 'utf8')
    const rows = [...guide.matchAll(/^\| `(00\d\d)` /gm)].map(([, digits]) => digits)
    expect(rows).toEqual([...BY_LAST_DIGITS.keys()])
  })
})
