import { days, explainedAt, id, paging, search } from '../openapi/parameters.ts'
import type { Route } from './route.ts'

/** Lead types, calls in progress, and the times of calls. */
export const callRoutes = [
  {
    method: 'GET',
    path: '/api/leads/{id}/calling-times/',
    function: 'leads/calling-times',
    auth: 'token',
    needs: ['table:get', 'table:batch-get', 'table:query', 'phone-hash', 'calling-policy'],
    summary: 'List the times in which a lead may be called',
    impact: 'Clients cannot see when a lead may be called in the coming days. Calls are still placed when they are allowed.',
    api: {
      tag: 'Leads',
      description:
        'Applies the same rules as a dial to the coming days, as if nothing changed but the time. At each instant of these times, `explain` finds the gates open that depend on the time.',
      path: id('lead'),
      query: { days },
      answers: {
        200: { description: 'The times.', holds: 'CallingTimes' },
        400: { description: '`days` is not a whole number from 1 to 31.', holds: 'FieldErrors' },
      },
    },
  },
  {
    method: 'GET',
    path: '/api/lead-types/',
    function: 'lead-types/list',
    auth: 'token',
    needs: ['table:get', 'table:query'],
    summary: 'List lead types',
    impact: 'Clients cannot see which lead types exist.',
    api: {
      tag: 'Lead types',
      query: { ...paging, search },
      answers: { 200: { description: 'A page of lead types.', holds: 'LeadTypePage' } },
      mayMiss: true,
    },
  },
  {
    method: 'GET',
    path: '/api/lead-types/{id}/',
    function: 'lead-types/retrieve',
    auth: 'token',
    needs: ['table:get'],
    summary: 'Retrieve a lead type',
    impact: 'Clients cannot see which metadata a lead type uses.',
    api: {
      tag: 'Lead types',
      path: id('lead type'),
      answers: { 200: { description: 'The lead type.', holds: 'LeadType' } },
    },
  },
  {
    method: 'GET',
    path: '/api/lead-types/{id}/preview/',
    function: 'lead-types/preview',
    auth: 'token',
    needs: ['table:get', 'table:batch-get', 'index:by-change', 'phone-hash', 'calling-policy'],
    summary: 'Preview the calls of a lead type',
    impact: 'Clients cannot see when the leads of a lead type would be called. They are still called when it is allowed.',
    api: {
      tag: 'Lead types',
      description:
        'Checks the leads of the type that are open or wait for a callback, with the same rules as a dial: how many may be called now, how many in which hour, and which gates refuse the others. Looks at the 200 leads that changed last. Nobody is called.',
      path: id('lead type'),
      answers: { 200: { description: 'The preview.', holds: 'Preview' } },
    },
  },
  {
    method: 'GET',
    path: '/api/calling-hours/',
    function: 'calling-hours/retrieve',
    auth: 'token',
    needs: ['table:get', 'calling-policy'],
    summary: 'Show in which states calls may start',
    impact: 'Clients cannot see in which states calls may start. Calls are still placed when they are allowed.',
    api: {
      tag: 'Calls',
      description:
        'For each state, district and territory: whether the law and the hours of your account let a call start, and when they do next. The answer is about a lead of which only the state is known: `explain` gives the same verdict in its gate `window`. Other data of a lead, such as its time zone or area code, can change the verdict. The law is that of the local day of `at`. The rules are not legal advice. No lead is read.',
      query: { at: explainedAt },
      answers: {
        200: { description: 'The calling hours.', holds: 'CallingHours' },
        400: { description: '`at` is not a datetime.', holds: 'FieldErrors' },
      },
    },
  },
  {
    method: 'POST',
    path: '/api/calls/live/',
    function: 'calls/live',
    auth: 'token',
    needs: ['table:get', 'table:query', 'table:put', 'table:update', 'phone-hash', 'calling-policy'],
    summary: 'Record who took over a call in progress',
    impact: 'Clients cannot record who took over a transferred call. The call continues.',
    api: {
      tag: 'Calls',
      description:
        'Name the call by its id, its lead or its phone number. If you send several of them, they must name the same call. `external_ids` are merged by their keys; `external_id` is added to them. They belong to the call: the lead keeps its own `external_id`. If the id of the representative is a number, the lead gets this representative.',
      body: 'UpdateLiveCall',
      example: { phone_number: '+12125550123', representative: { id: 12, name: 'Bob' }, external_id: 'A-17' },
      answers: { 200: { description: 'The call as it is now.', holds: 'Call' } },
      mayMiss: true,
    },
  },
] as const satisfies readonly Route[]
