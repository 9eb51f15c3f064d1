import { callingPolicy } from '#shared/calling/calling-policy.ts'
import { callingHours } from '#shared/calling/rules/calling-hours.ts'
import { closedBecause } from '#shared/calling/rules/hours/closed-because.ts'
import { mayStart, nextStart } from '#shared/calling/rules/hours/hours.ts'
import type { Lead } from '#shared/leads/lead.ts'
import { stateOfAreaCode } from '#shared/location/rules/locate.ts'
import type { Instant } from '#shared/platform/values/values.ts'
import { isListedLitigator } from '#shared/stops/litigator-store.ts'
import { OpsRefusal } from '../refusal.ts'
import type { Trial } from './trial-call.ts'

export const NOBODY_CALLED = 'Nobody was called.'

/**
 * The hours of a number without a lead. With a time zone from the operator, a call must be lawful in that zone. It must also be lawful in
 * the state of the number's area code: otherwise the operator could name a zone where it is daytime, and ring a phone at night.
 */
const hoursOf = async ({ phone, timezone }: Trial) => {
  const policy = await callingPolicy(undefined)
  const at = (us_state: string | null, metadata: Lead['metadata']) => callingHours({ phone_number: phone, us_state, metadata }, policy)
  if (timezone === undefined) return at(null, {})
  const state = stateOfAreaCode(phone)
  const named = at(null, { timezone })
  return state === undefined ? named : { ...named, hours: [...at(state, {}).hours, ...named.hours] }
}

/** Applies the calling rules to a number without a lead. @throws OpsRefusal when the phone may not ring at this instant */
export const checkMayRing = async (trial: Trial, at: Instant): Promise<void> => {
  const { hours, location } = await hoursOf(trial)
  if (location.timezones.length === 0) {
    const wanted = 'The number is outside the North American Numbering Plan, so its local time is not known.'
    throw new OpsRefusal(`${wanted} Name it with --timezone, such as --timezone Europe/London. ${NOBODY_CALLED}`)
  }
  if (await isListedLitigator(trial.phone)) throw new OpsRefusal(`The number is on the list of litigators. ${NOBODY_CALLED}`)
  if (mayStart(hours, at)) return
  const why = [...new Set(closedBecause(hours, at).map(({ rule, detail }) => `  ${rule}: ${detail}`))].join('\n')
  const next = nextStart(hours, at)
  const then = next === null ? 'There is no time at which it may.' : `It may again from ${new Date(next).toISOString()}.`
  const hint = location.isKnown
    ? ''
    : ' Without --timezone, a phone rings only at hours that are daytime in all states. Name the time zone of the phone with it.'
  throw new OpsRefusal(
    `The phone may not ring now, by the clock of this machine (--now of the service does not count):\n${why}\n${then}${hint} ${NOBODY_CALLED}`,
  )
}
