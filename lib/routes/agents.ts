import type { DocumentedAnswer } from '../openapi/operation.ts'
import { agentOfPlatform, callOfAgent, callOfEvent, signatureHeaderParameters, toolOfAgent } from '../openapi/parameters.ts'
import type { Need } from '../stacks/needs.ts'
import { LONGEST_REQUEST, type Route, TAKES_REPORTS } from './route.ts'

const calendarFailed: DocumentedAnswer = { description: 'The calendar failed or refused the request.', holds: 'Detail' }

/** To apply what platforms tell, to answer the tools of their assistants, and to end calls. */
const HEARS_PLATFORMS = [...TAKES_REPORTS, 'agent-hosts', 'agent-credentials:open'] as const satisfies readonly Need[]

/** Routes that voice agents and their platforms call. */
export const agentRoutes = [
  {
    method: 'POST',
    path: '/api/agents/calls/{call_id}/events/',
    function: 'agents/call-events',
    auth: 'agent',
    needs: TAKES_REPORTS,
    timeoutSeconds: LONGEST_REQUEST,
    isReserved: true,
    summary: 'Report what happened in a call',
    impact:
      'Outcomes of calls are not recorded. Leads stay in a call, and a request to stop calling has no effect until the agent repeats it.',
    api: {
      tag: 'Voice agents',
      description:
        'Reports may be repeated and may come in any order. Each report shows that the call is alive. The call counts as lost after ten minutes without a report, or after two hours once somebody has answered. A value of `email`, `external_id`, `us_state`, `lead_source` or `representative` in `collected` fills that field of the lead if the field is empty. Another value of a field goes into `metadata` as `collected_email` and the like. All other keys go into `metadata` under their own names. A collected state or ZIP narrows the calling hours at once. It widens them only from the next planned call on. An unknown call gets the same answer as a wrong signature.',
      path: callOfAgent,
      headers: signatureHeaderParameters,
      body: 'CallReport',
      answers: { 200: { description: 'Accepted.', holds: 'Accepted' } },
    },
  },
  {
    method: 'POST',
    path: '/api/agents/platforms/{agent}/events/',
    function: 'agents/platform-events',
    auth: 'platform',
    needs: HEARS_PLATFORMS,
    timeoutSeconds: LONGEST_REQUEST,
    isReserved: true,
    summary: 'Receive what a voice platform reports about calls',
    impact: 'Outcomes of calls on voice platforms are recorded late, by polling. A request to stop calling may have no effect.',
    api: {
      tag: 'Voice agents',
      description:
        'The voice platform of an agent sends its events here, with its own signature. Each voice platform has its own format; see the guide about voice platforms. Events of calls that this service did not start are ignored. An event in which the assistant calls tools is answered in the form of the platform.',
      path: agentOfPlatform,
      query: callOfEvent,
      body: 'PlatformEvent',
      answers: { 200: { description: 'Accepted, or ignored.', holds: 'PlatformEventTaken' } },
    },
  },
  {
    method: 'POST',
    path: '/api/agents/platforms/{agent}/tools/{tool}/',
    function: 'agents/platform-tools',
    auth: 'assistant',
    // The code behind a contact flow calls tools too, and its call may have to be ended.
    needs: [...HEARS_PLATFORMS, 'connect:contacts'],
    timeoutSeconds: LONGEST_REQUEST,
    isReserved: true,
    summary: 'Run a tool for an assistant on a voice platform',
    impact:
      'Assistants on some voice platforms cannot report during a call that a person wants no more calls, and cannot book appointments.',
    api: {
      tag: 'Voice agents',
      description:
        'Some platforms send each call of a tool to a separate URL, such as this one. The body has the arguments of the tool and the `call_id`, which every assistant gets as a variable. A tool that could not do its work answers 200 too, with `ok: false` and a message for the language model. A repeat does no more than the first request. A call of another agent, or one that has been over for a day, is not found.',
      path: toolOfAgent,
      body: 'ToolArguments',
      example: { call_id: '51-1', start_time: '2030-01-17T15:00:00Z', duration_minutes: 30, title: 'Consultation' },
      answers: { 200: { description: 'The answer of the tool, for a language model.', holds: 'ToolAnswered' } },
    },
  },
  {
    method: 'POST',
    path: '/api/agents/inbound-calls/',
    function: 'agents/inbound-calls',
    auth: 'agent',
    needs: [
      'table:get',
      'table:batch-get',
      'table:query',
      'table:put',
      'table:update',
      'index:by-owner',
      'calls:send',
      'phone-hash',
      'calling-policy',
    ],
    summary: 'Report a call that a person makes',
    impact: 'The agent knows nothing about people who call in. The service may dial these people while they talk with the agent.',
    api: {
      tag: 'Voice agents',
      description:
        'Send this when the agent has answered. The call goes to the newest lead with the phone number `from`. If there is none, the service creates a lead. A number `to` that belongs to nobody gets the same answer as a wrong signature.',
      headers: signatureHeaderParameters,
      body: 'InboundCall',
      answers: {
        201: { description: 'Accepted. Send further reports of this call to `callback_url`.', holds: 'InboundBriefing' },
        200: { description: 'The call was accepted before.', holds: 'InboundBriefing' },
        409: {
          description:
            'The `provider_call_id` belongs to a call of another person to one of the owner’s numbers, or to a call that is no longer kept.',
          holds: 'Detail',
        },
      },
    },
  },
  {
    method: 'POST',
    path: '/api/agents/calls/{call_id}/calendar/slots/',
    function: 'agents/calendar-slots',
    auth: 'agent',
    needs: ['table:get', 'table:update', 'agent-hosts'],
    timeoutSeconds: 15,
    summary: 'Find free slots in a calendar',
    impact: 'The agent cannot offer meetings.',
    api: {
      tag: 'Voice agents',
      description:
        "Searches the calendar of the call's lead type for free slots of the lead's representative. The request that places a call says in `calendar` whether there is a calendar. The search starts at `from`, or now by default.",
      path: callOfAgent,
      headers: signatureHeaderParameters,
      body: 'FindSlots',
      example: { call_id: '51-1', from: '2030-01-15T16:00:00Z', duration_minutes: 30 },
      answers: { 200: { description: 'The free slots.', holds: 'Slots' }, 424: calendarFailed },
      mayMiss: true,
    },
  },
  {
    method: 'POST',
    path: '/api/agents/calls/{call_id}/calendar/book/',
    function: 'agents/calendar-book',
    auth: 'agent',
    needs: ['table:get', 'table:put', 'table:update', 'agent-hosts'],
    timeoutSeconds: 15,
    summary: 'Book a slot in a calendar',
    impact: 'The agent cannot book the meetings that it offers.',
    api: {
      tag: 'Voice agents',
      description:
        'A call can book one appointment. A repeated request for the same time does not book it again. While it is unknown whether the calendar has booked it, no other appointment can be booked.',
      path: callOfAgent,
      headers: signatureHeaderParameters,
      body: 'BookSlot',
      example: { call_id: '51-1', start_time: '2030-01-17T15:00:00Z', duration_minutes: 30, title: 'Consultation' },
      answers: {
        201: { description: 'Booked.', holds: 'Appointment' },
        200: { description: 'The appointment was booked before.', holds: 'Appointment' },
        409: { description: 'The slot is taken, or this call has (or may have) booked another one, or the call is over.', holds: 'Detail' },
        424: calendarFailed,
      },
      mayMiss: true,
    },
  },
] as const satisfies readonly Route[]
