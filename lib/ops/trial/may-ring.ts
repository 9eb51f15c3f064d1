import { callingPolicy } from '#shared/calling/calling-policy.ts'
import { callingHours } from '#shared/calling/rules/calling-hours.ts'
import { closedBecause } from '#shared/calling/rules/hours/closed-because.ts'
import { mayStart, nextStart } from '#shared/calling/rules/hours/hours.ts'
import type { Instant } from '#shared/platform/values/values.ts'
import { isListedLitigator } from '#shared/stops/litigator-store.ts'
import { OpsRefusal } from '../refusal.ts'
import type { Trial } from './trial-call.ts'

export const NOBODY_CALLED = 'Nobody was called.'

const hoursOf = async ({ phone, timezone }: Trial) => {
  const lead = { phone_number: phone, us_state: null, metadata: timezone === undefined ? {} : { timezone } }
  return callingHours(lead, await callingPolicy(undefined))
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
  const hint = location.isKnown ? '' : ' If you are elsewhere than the number tells, name your time zone with --timezone.'
  throw new OpsRefusal(`The phone may not ring now:\n${why}\n${then}${hint} ${NOBODY_CALLED}`)
}
