import { agents } from './agents.ts'
import { ingestLead, uploads } from './ingestion.ts'
import type { ApiOperation } from './operation.ts'
import { explainedAt, id, leadLookUps, paging, search, taskId } from './parameters.ts'
import { tooLarge, warnings } from './refusals.ts'
import { stopping } from './stopping.ts'
import { deliveries, webhooks } from './webhooks.ts'

const lead = {
  phone_number: '+12125550123',
  email: 'ann@example.com',
  first_name: 'Ann',
  timezone: 'America/New_York',
  lead_source: 'website',
}

const leads: Readonly<Record<string, ApiOperation>> = {
  'leads/create': {
    tag: 'Leads',
    description: 'When reengagement is configured and an eligible lead with the same phone number and email exists, that one is reopened.',
    body: 'CreateLead',
    example: lead,
    forms: true,
    answers: {
      201: { description: 'Created.', holds: 'Lead' },
      200: { description: 'An existing lead was reengaged.', holds: 'Lead' },
    },
  },
  'leads/list': {
    tag: 'Leads',
    description: 'The newest first.',
    query: { ...paging, ...leadLookUps },
    answers: { 200: { description: 'A page of leads.', holds: 'LeadPage' }, 400: tooLarge },
    mayMiss: true,
  },
  'leads/retrieve': { tag: 'Leads', path: id('lead'), answers: { 200: { description: 'The lead.', holds: 'Lead' } } },
  'leads/update': {
    tag: 'Leads',
    description:
      'Metadata is merged by its top-level keys. A terminal status or `CANCELLED` removes the next call. A closed lead that is set back to `OPEN` begins a new round: its `max_attempts` count from then. A lead in status `NEW` that is given its first lead type becomes `OPEN`, unless the update sets another status. `call_dnc` and `sms_dnc` of a number on the do-not-contact list of your group stay true when they are set to false, and the header `X-Warnings` of the answer says so: the operator lifts a listed number.',
    path: id('lead'),
    body: 'UpdateLead',
    example: { status: 'CANCELLED' },
    answers: { 200: { description: 'The lead as it is now.', holds: 'Lead', headers: warnings } },
  },
  'leads/explain': {
    tag: 'Leads',
    description:
      'Every gate in the order in which a dial asks them, also after the first that refuses. Nothing is called, and nothing changes.',
    path: id('lead'),
    query: { at: explainedAt },
    answers: {
      200: { description: 'What each gate says.', holds: 'Explanation' },
      400: { description: '`at` is no datetime.', holds: 'FieldErrors' },
    },
  },
  'leads/schedule-call': {
    tag: 'Leads',
    description:
      'In place of whatever call was pending. Outside the lawful hours it is moved to the next lawful time; `detail` says why. What keeps the lead from being called – a status, a stop, a pause, a call in progress – keeps it from being scheduled: then nothing changes, and `detail` says what it is.',
    path: id('lead'),
    body: 'ScheduleCall',
    example: { call_time: '2030-01-15T16:00:00-05:00' },
    forms: true,
    answers: { 200: { description: 'Whether it is scheduled, and when the lead is called next.', holds: 'ScheduledCall' } },
  },
  'leads/calls': {
    tag: 'Leads',
    description: 'The newest first.',
    path: id('lead'),
    query: paging,
    answers: { 200: { description: 'A page of calls.', holds: 'CallPage' }, 400: tooLarge },
  },
  'leads/update-by-match': {
    tag: 'Leads',
    description: 'A partial update, whatever the method. When several leads match, it is the newest.',
    body: 'UpdateLeadByMatch',
    example: { phone_number: lead.phone_number, email: lead.email, external_id: 'A-17' },
    answers: { 200: { description: 'The lead as it is now.', holds: 'Lead', headers: warnings } },
    mayMiss: true,
  },
  'leads/bulk-create': {
    tag: 'Leads',
    description: 'Leads of one phone number are created in the order of the request. One that fails leaves the others alone.',
    body: 'BulkCreate',
    example: { leads: [lead, { phone_number: '(212) 555-0124' }] },
    answers: { 200: { description: 'What became of each, in the order of the request.', holds: 'BulkCreateResult' } },
  },
  'leads/bulk-update': {
    tag: 'Leads',
    description:
      'Stops – `CANCELLED`, terminal statuses, a do-not-contact flag raised – hold from the answer on; the rest is done after it. The task tells when.',
    body: 'BulkUpdate',
    example: { leads: [{ id: 51, status: 'LOST' }] },
    answers: { 202: { description: 'Accepted, each update for itself.', holds: 'BulkUpdateResult' } },
  },
  'tasks/retrieve': {
    tag: 'Leads',
    description: 'Kept for seven days after it was done.',
    path: { task_id: taskId },
    answers: { 200: { description: 'How it fared.', holds: 'Task' } },
  },
}

const others: Readonly<Record<string, ApiOperation>> = {
  'lead-types/list': {
    tag: 'Lead types',
    query: { ...paging, search },
    answers: { 200: { description: 'A page of lead types.', holds: 'LeadTypePage' } },
    mayMiss: true,
  },
  'lead-types/retrieve': {
    tag: 'Lead types',
    path: id('lead type'),
    answers: { 200: { description: 'The lead type.', holds: 'LeadType' } },
  },
  'users/me': { tag: 'Account', answers: { 200: { description: 'The user whose key it is.', holds: 'User' } }, mayMiss: true },
  'calls/live': {
    tag: 'Calls',
    description:
      'The call is named by its id, its lead or its phone number; several of them name one call. `external_ids` are merged by their keys, `external_id` among them. They are the call’s: the lead keeps its own `external_id`. The lead learns the representative when its id is a number.',
    body: 'UpdateLiveCall',
    example: { phone_number: lead.phone_number, representative: { id: 12, name: 'Bob' }, external_id: 'A-17' },
    answers: { 200: { description: 'The call as it is now.', holds: 'Call' } },
    mayMiss: true,
  },
  health: {
    tag: 'Service',
    answers: {
      200: { description: 'It answers.', holds: 'Healthy' },
      503: { description: 'Its table does not answer.', holds: 'Unavailable' },
    },
  },
  'docs/schema': { tag: 'Service', answers: { 200: { description: 'This document.', types: ['application/json'] } } },
  'docs/page': {
    tag: 'Service',
    path: {
      file: {
        description: 'What the page consists of.',
        schema: { enum: ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE', 'NOTICE'] },
      },
    },
    answers: {
      200: { description: 'The page, or a file of it.', types: ['text/html', 'text/css', 'text/javascript', 'text/plain'] },
    },
  },
}

/** The operation of every function in the table of routes. */
export const operations: Readonly<Record<string, ApiOperation>> = {
  ...leads,
  ...uploads,
  ...ingestLead,
  ...stopping,
  ...webhooks,
  ...deliveries,
  ...agents,
  ...others,
}
