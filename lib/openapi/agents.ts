import type { ApiOperation, DocumentedAnswer } from './operation.ts'
import { callOfAgent, signatureHeaderParameters } from './parameters.ts'

const calendarFailed: DocumentedAnswer = { description: 'The calendar has failed, or refused.', holds: 'Detail' }

/** Requests of voice agents. */
export const agents: Readonly<Record<string, ApiOperation>> = {
  'agents/call-events': {
    tag: 'Voice agents',
    description:
      'Reports may be repeated and may come in any order. Each report shows that the call is alive: it counts as lost after ten minutes without one, after two hours once somebody has answered. What `collected` says of a lead’s own `email`, `external_id`, `us_state`, `lead_source` or `representative` fills the field where it is empty; another value of a field is kept in `metadata` as `collected_email` and the like, and all other keys there under their own names. A state or ZIP that is collected narrows the calling hours at once; it widens them from the next planned call on. An unknown call is told as a wrong signature.',
    path: callOfAgent,
    headers: signatureHeaderParameters,
    body: 'CallReport',
    answers: { 200: { description: 'Taken up.', holds: 'Accepted' } },
  },
  'agents/inbound-calls': {
    tag: 'Voice agents',
    description:
      'Told when the agent has answered. The call goes to the newest lead with the phone `from`; when there is none, one is made. A number `to` that is nobody’s is told as a wrong signature.',
    headers: signatureHeaderParameters,
    body: 'InboundCall',
    answers: {
      201: { description: 'Taken. Its further reports go to `callback_url`.', holds: 'InboundBriefing' },
      200: { description: 'It had been taken before.', holds: 'InboundBriefing' },
      409: {
        description:
          'The `provider_call_id` is that of a call of another person to one of the owner’s numbers, or of one that is no longer kept.',
        holds: 'Detail',
      },
    },
  },
  'agents/calendar-slots': {
    tag: 'Voice agents',
    description:
      "Searches the calendar of the call's lead type, for the representative of the lead. The request that places a call says in `calendar` whether there is one. The search starts at `from`, or now by default.",
    path: callOfAgent,
    headers: signatureHeaderParameters,
    body: 'FindSlots',
    example: { call_id: '51-1', from: '2030-01-15T16:00:00Z', duration_minutes: 30 },
    answers: { 200: { description: 'What is free.', holds: 'Slots' }, 424: calendarFailed },
    mayMiss: true,
  },
  'agents/calendar-book': {
    tag: 'Voice agents',
    description:
      'One in a call. Repeated for the same time, it is not booked again; while it is not known whether the calendar has booked it, no other one can be.',
    path: callOfAgent,
    headers: signatureHeaderParameters,
    body: 'BookSlot',
    example: { call_id: '51-1', start_time: '2030-01-17T15:00:00Z', duration_minutes: 30, title: 'Consultation' },
    answers: {
      201: { description: 'Booked.', holds: 'Appointment' },
      200: { description: 'It was booked before.', holds: 'Appointment' },
      409: { description: 'The slot is taken, another one is or may be booked in this call, or the call is over.', holds: 'Detail' },
      424: calendarFailed,
    },
    mayMiss: true,
  },
}
