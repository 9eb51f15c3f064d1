import type { ApiOperation } from './operation.ts'
import { id, listedPhone } from './parameters.ts'

/** Ways to stop calls. */
export const stopping: Readonly<Record<string, ApiOperation>> = {
  'users/pause-calls': {
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
  'users/unpause-calls': {
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
  'dnc/create': {
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
  'dnc/retrieve': {
    tag: 'Do not contact',
    description:
      'Returns the entry on the list. The entry does not include flags that were set only on leads. `effective` includes all flags of the number.',
    query: { phone_number: listedPhone },
    answers: {
      200: { description: 'The entry. If the number is not on the list, both flags are false.', holds: 'DncLookUp' },
      400: { description: '`phone_number` is missing or is not a phone number.', holds: 'FieldErrors' },
    },
  },
}
