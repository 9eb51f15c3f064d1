import type { CallingHours } from '../../client/operations.ts'

export type HoursOfState = CallingHours['states'][number]

/** `partly`: a call may start in some time zones of the state. */
export type StateKind = 'open' | 'partly' | 'closed'

export const stateKindOf = ({ open, timezones }: Pick<HoursOfState, 'open' | 'timezones'>): StateKind => {
  if (open) return 'open'
  return timezones.some((zone) => zone.open) ? 'partly' : 'closed'
}
