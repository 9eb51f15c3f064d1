import * as v from 'valibot'
import { LeadType, LONGEST_DELAY, SHORTEST_DELAY, User } from '#shared/accounts/configuration.ts'
import * as calendar from '#shared/agents/calendar.ts'
import * as reported from '#shared/agents/reported-text.ts'
import * as breaker from '#shared/agents/rules/breaker.ts'
import { LATE_AFTER } from '#shared/backlog/promises.ts'
import { READ_TOGETHER } from '#shared/backlog/release/account-pace.ts'
import { RELEASED, RELEASED_TOGETHER } from '#shared/backlog/release/parts.ts'
import { MOST_SURPLUS } from '#shared/backlog/rules/fill-turn.ts'
import { AGENT_TIMEOUT, ASKING_TIME } from '#shared/calling/rules/dial/intent.ts'
import * as hours from '#shared/calling/rules/hours/hours.ts'
import * as silence from '#shared/calling/rules/silence.ts'
import * as externalIds from '#shared/http/fields/external-ids.ts'
import { MOST_ANSWER_BYTES } from '#shared/platform/safe-fetch/guarded-post.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { LONGEST_HOLD, MOST_CALLS, MOST_DAYS, MOST_LINES } from '../../ops/configuration/bounded.ts'
import { bytes, characters, count, time } from '../costs/quantities.ts'
import type { Limits } from './limit.ts'

const cadence = v.parse(LeadType.entries.cadence, {})

export const callLimits: Limits = {
  heading: 'Calls and voice agents',
  limits: [
    [
      'Calls in progress of a user',
      `${count(v.getDefault(User.entries.lines))}, at most ${count(MOST_LINES)}`,
      'leads wait; set by `users[].lines`',
    ],
    ['Calls in progress to a phone', '1', 'the lead is called later'],
    [
      'Calls to a lead since it was created or last reopened',
      `${count(cadence.max_attempts)}, at most ${count(MOST_CALLS)}`,
      '`CLOSED_INCOMPLETE`; set by `cadence.max_attempts`',
    ],
    ['Calls to a phone in 24 hours', 'by state', 'the lead is called later; see [calling-rules.md](calling-rules.md)'],
    [
      'Delay between two calls of a cadence',
      `${time(SHORTEST_DELAY * SECOND)} to ${time(LONGEST_DELAY * SECOND)}`,
      'the setting is refused',
    ],
    ['Days until a lead may be reengaged', `at most ${count(MOST_DAYS)}`, 'the setting is refused'],
    ['Waiting for somebody to take over a call', `at most ${time(LONGEST_HOLD * SECOND)}`, 'the setting is refused'],
    ['End of a calling window', `no call begins later than ${time(hours.MARGIN)} before it`, 'the call waits for the next window'],
    ['Search for the next lawful time', time(hours.HORIZON), 'the lead is held until its hours change'],
    [
      'One request to a voice agent',
      time(AGENT_TIMEOUT),
      'the request is repeated with the same key, or the call is looked up, or it becomes `UNKNOWN`, as the platform permits',
    ],
    ['All requests to a voice agent for one call', time(ASKING_TIME), '`UNKNOWN`: that call is never placed again'],
    [
      'Silence of the agent before anybody has answered, since its last report',
      time(silence.AFTER_ACCEPTANCE),
      '`UNKNOWN`, and the phone is released',
    ],
    ['Silence of the agent in a conversation, since its last report', time(silence.AFTER_ANSWER), '`UNKNOWN`, and the phone is released'],
    [
      'Silence of the agent after the end of a conversation, with a `presumed_outcome` or on a voice platform',
      time(silence.AFTER_END),
      'the call gets the presumed outcome, or the outcome that the platform tells',
    ],
    [
      'Held leads that one setting or one agent releases',
      `at most ${count(RELEASED)} a second of a user, and about ${count(RELEASED_TOGETHER)} of all users`,
      'the rest waits, the earliest due of each user first',
    ],
    [
      'Due leads that are refused, with callable ones behind them',
      `about once a second, one for each free line and up to ${count(MOST_SURPLUS)} more are tried`,
      'the callable ones wait until those before them are planned again',
    ],
    [
      'Leads that are read again after the hours of accounts changed',
      `no limit for one to four users; about ${count(READ_TOGETHER)} a second for 5 to 300 users together; 1,000 a minute of each if there are more`,
      'the rest waits',
    ],
    ['A promised callback', `late after ${time(LATE_AFTER)}`, '`LEAD_LATE_CALLBACK`'],
    [
      'Failed calls in a row, for one agent',
      count(breaker.OPENS_AFTER),
      `one call at a time, ${time(breaker.FIRST_PAUSE)} to ${time(breaker.LONGEST_PAUSE)} apart, until the agent works again`,
    ],
    ['Answer of a voice agent or a calendar', bytes(MOST_ANSWER_BYTES), 'the answer counts as missing'],
    ['Slots of a calendar that the agent gets', count(calendar.MOST_SLOTS), 'the rest is left out'],
    ['One request to a calendar', time(calendar.TIMEOUT), 'the agent gets a 424'],
    ['Data about a booking from a calendar', bytes(calendar.BOOKING_BYTES), 'the data is not stored'],
    ['Summary of a call', characters(reported.SUMMARY_LENGTH), 'the rest is left out'],
    ['Text message', characters(reported.SMS_LENGTH), 'the rest is left out'],
    ['Appointment in a report', bytes(reported.APPOINTMENT_BYTES), 'the appointment is not stored'],
    ['Ids and names in a report', characters(reported.NAME_LENGTH), '400 for `call_id`; otherwise the rest is left out'],
    ['`external_ids` of a live call', bytes(externalIds.MAX_EXTERNAL_IDS_BYTES), '400, which names the field'],
    ['Length of a call', time(reported.LONGEST_CALL * SECOND), 'the length counts as not reported'],
  ],
}
