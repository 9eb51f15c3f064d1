import { CALL_OUTCOMES } from '#shared/calling/call.ts'
import { callStatus } from '#shared/calling/rules/call-status.ts'
import { outcomeOf } from '#shared/calling/rules/outcomes.ts'
import { MOST_DIAL, MOST_WITH_END } from '#test/support/call-units.ts'
import type { PlayedCall } from './play-calls.ts'

/** The call was refused for a reason of the account. It costs the lead nothing, and follows later. */
const isRefused = ({ call }: PlayedCall): boolean => call.refused_time !== null

/** The status that the outcome table gives the lead. */
const expectedState = (played: PlayedCall): readonly [status: string, detail: string | null] => {
  const { reported_outcome: reported } = played.call
  if (reported === null) return ['OPEN', null]
  const { status, detail } = outcomeOf(reported)
  return [status, detail]
}

/** An open lead has a next call, unless its person asked for none. */
const isCalledOn = ({ course, state }: PlayedCall): boolean => course === 'stopped' || state.next_call_time !== null

const faultsIn = (played: PlayedCall): string[] => {
  const { course, call, state, dials, untaken } = played
  const [status, detail] = expectedState(played)
  const isGoingOn = course === 'stopped' && call.settled_time === null
  const isKnown = CALL_OUTCOMES.some((outcome) => outcome === call.outcome)
  // Nobody knows more of a call that the platform does not have, or that cannot be asked for.
  const isUnknown = callStatus(call) === 'UNKNOWN' && (dials === 0 || (!played.isPolled && course !== 'callbacks'))
  return [
    ...(untaken > 0 ? [`${untaken} callbacks were not taken`] : []),
    ...(dials > 1 ? [`${dials} phones rang for one attempt`] : []),
    ...(isKnown || isRefused(played) || isUnknown || isGoingOn ? [] : ['the call has no outcome of ours']),
    ...(call.settled_time === null && !isGoingOn ? ['the call is never settled'] : []),
    ...(state.status === status && state.status_detail === detail
      ? []
      : [`the lead is ${state.status} (${state.status_detail}), but its outcome says ${status} (${detail})`]),
    ...(state.status === 'OPEN' && !isGoingOn && !isCalledOn(played) ? ['the open lead has no next call'] : []),
  ]
}

/** Our own protocol costs what it did before there were platforms. */
const costFaults = ({ platform, end, course, units: { dial, after } }: PlayedCall): string[] =>
  platform !== 'open' || end !== 'completed' || course !== 'callbacks' || (dial.write <= MOST_DIAL && after.write <= MOST_WITH_END)
    ? []
    : [`the dial takes ${dial.write} write units, and what follows ${after.write}, of at most ${MOST_DIAL} and ${MOST_WITH_END}`]

/** Broken promises, each with the call that shows it. */
export const faultsOfPlayed = (all: readonly PlayedCall[]): string[] =>
  all.flatMap((played) =>
    [...faultsIn(played), ...costFaults(played)].map((fault) => `${played.platform}, ${played.end}, ${played.course}: ${fault}`),
  )
