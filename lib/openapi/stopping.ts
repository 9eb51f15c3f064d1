import type { ApiOperation } from './operation.ts'
import { id, listedPhone } from './parameters.ts'

/** Ways to stop calls. */
export const stopping: Readonly<Record<string, ApiOperation>> = {
  'users/pause-calls': {
    tag: 'Account',
    description:
      'From the answer on no call to them begins: to any lead, or with `only_existing_leads` to those that exist now. The two kinds of pause do not know of each other.',
    path: id('user'),
    body: 'PauseCalls',
    example: { only_existing_leads: false },
    forms: true,
    answers: {
      202: { description: 'Paused, until they are unpaused.', holds: 'AcceptedWork' },
      403: { description: 'It is somebody else, and you are not of the staff.', holds: 'Detail' },
    },
  },
  'users/unpause-calls': {
    tag: 'Account',
    description: 'Ends both kinds of pause. Calls that came due meanwhile are made as soon as they may be.',
    path: id('user'),
    body: 'NoFields',
    forms: true,
    answers: {
      202: { description: 'Unpaused; what came due is being rescheduled.', holds: 'AcceptedWork' },
      403: { description: 'It is somebody else, and you are not of the staff.', holds: 'Detail' },
    },
  },
  'dnc/create': {
    tag: 'Do not contact',
    description:
      'On the list of your group, whose users share it. From the answer on no call to the phone begins; leads with it show the flags, and no update of a lead lifts them. Flags are only ever raised.',
    body: 'EnterOnList',
    example: { phone_number: '+12125550123' },
    forms: true,
    answers: {
      201: { description: 'Entered.', holds: 'DncEntry' },
      200: { description: 'All of it stood there already.', holds: 'DncEntry' },
    },
  },
  'dnc/retrieve': {
    tag: 'Do not contact',
    description:
      'What was entered on the list. What was raised on leads alone is not on it: `effective` tells what stands against the number in all.',
    query: { phone_number: listedPhone },
    answers: {
      200: { description: 'What stands there; a number that is not listed has both flags false.', holds: 'DncLookUp' },
      400: { description: '`phone_number` is missing or none.', holds: 'FieldErrors' },
    },
  },
}
