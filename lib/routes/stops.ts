import { historyAsked, id, listedPhone, paging, userSearch } from '../openapi/parameters.ts'
import type { Route } from './route.ts'

/** Users, their pauses, and the do-not-contact list. */
export const stopRoutes = [
  {
    method: 'GET',
    path: '/api/users/',
    function: 'users/list',
    auth: 'token',
    needs: ['table:get', 'table:batch-get', 'index:by-due'],
    summary: 'List users',
    impact: 'Staff cannot look users up. They can still act for users whose ids they know.',
    api: {
      tag: 'Account',
      description:
        'All users of the service, the newest first, so that staff can choose one for `X-Act-As-User`. Only for staff. Changes show within ten seconds.',
      query: { ...paging, search: userSearch },
      answers: { 200: { description: 'A page of users.', holds: 'ListedUserPage' } },
      mayMiss: true,
    },
  },
  {
    method: 'GET',
    path: '/api/users/me/',
    function: 'users/me',
    auth: 'token',
    needs: ['table:get', 'table:query'],
    summary: 'Retrieve your own user',
    impact: 'Clients cannot see whether their calls are paused or how many lines are in use.',
    api: { tag: 'Account', answers: { 200: { description: 'The user that the request is made for.', holds: 'User' } }, mayMiss: true },
  },
  {
    method: 'GET',
    path: '/api/users/me/activity/',
    function: 'users/activity',
    auth: 'token',
    needs: ['table:get', 'table:batch-get', 'table:query', 'index:by-due'],
    summary: 'Show what happens to your leads now',
    impact: 'Clients cannot see their calls in progress and the leads that come next. Leads are still called.',
    api: {
      tag: 'Account',
      description:
        'Calls in progress, leads that are due now and in the next hour, and what holds leads back. The lists are short and the counts end at a limit, so that you can ask every few seconds. The leads that come next follow a change within a second or so.',
      answers: { 200: { description: 'The activity.', holds: 'Activity' } },
      mayMiss: true,
    },
  },
  {
    method: 'POST',
    path: '/api/users/{id}/pause-calls/',
    function: 'users/pause-calls',
    auth: 'token',
    needs: ['table:get', 'table:update'],
    summary: 'Pause outbound calls',
    impact: 'Clients cannot pause their outbound calls. Leads are still called against the wish of the client.',
    api: {
      tag: 'Account',
      description:
        'After the answer, no new call to any lead begins. With `only_existing_leads`, this is true only for the leads that exist now. The two kinds of pause are independent of each other.',
      path: id('user'),
      body: 'PauseCalls',
      example: { only_existing_leads: false },
      forms: true,
      answers: {
        202: { description: 'Calls are paused until you unpause them.', holds: 'AcceptedWork' },
        403: { description: 'This is another user, and you are not staff.', holds: 'Detail' },
      },
    },
  },
  {
    method: 'POST',
    path: '/api/users/{id}/unpause-calls/',
    function: 'users/unpause-calls',
    auth: 'token',
    needs: ['table:get', 'table:update', 'calls:send'],
    summary: 'Unpause and reschedule outbound calls',
    impact: 'Clients cannot resume outbound calls that they have paused.',
    api: {
      tag: 'Account',
      description: 'Ends both kinds of pause. Calls that came due during the pause are placed as soon as possible.',
      path: id('user'),
      body: 'NoFields',
      forms: true,
      answers: {
        202: { description: 'Calls are unpaused. Calls that came due are being rescheduled.', holds: 'AcceptedWork' },
        403: { description: 'This is another user, and you are not staff.', holds: 'Detail' },
      },
    },
  },
  {
    method: 'POST',
    path: '/api/dnc/',
    function: 'dnc/create',
    auth: 'token',
    needs: ['table:get', 'table:batch-get', 'table:query', 'table:put', 'table:update', 'calls:send', 'phone-hash'],
    summary: 'Add a phone number to the do-not-contact list',
    impact: 'Clients cannot add phone numbers to their do-not-contact list. People who asked not to be called are still called.',
    api: {
      tag: 'Do not contact',
      description:
        'All users of your group share the list. After the answer, no new call to the number begins. Leads with the number show the flags, and updates of a lead do not clear them. This request sets flags only to true, never to false.',
      body: 'EnterOnList',
      example: { phone_number: '+12125550123' },
      forms: true,
      answers: {
        201: { description: 'Added.', holds: 'DncEntry' },
        200: { description: 'The number was already on the list with these flags.', holds: 'DncEntry' },
      },
    },
  },
  {
    method: 'GET',
    path: '/api/dnc/',
    function: 'dnc/retrieve',
    auth: 'token',
    needs: ['table:get', 'table:query', 'phone-hash'],
    summary: 'Look up a phone number on the do-not-contact list',
    impact: 'Clients cannot look up their do-not-contact list. The list still stops calls.',
    api: {
      tag: 'Do not contact',
      description:
        'Returns the entry on the list. The entry does not include flags that were set only on leads. `effective` includes all flags of the number. `history` tells when, how and by whom each stop and each lift was received.',
      query: { phone_number: listedPhone, history: historyAsked },
      answers: {
        200: { description: 'The entry. If the number is not on the list, both flags are false.', holds: 'DncLookUp' },
        400: { description: '`phone_number` is missing or is not a phone number.', holds: 'FieldErrors' },
      },
    },
  },
] as const satisfies readonly Route[]
