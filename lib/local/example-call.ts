import { callingHours } from '#shared/calling/rules/calling-hours.ts'
import { mayStart, nextStart } from '#shared/calling/rules/hours/hours.ts'
import { HOUR } from '#shared/platform/values/durations.ts'
import { quoted } from '../command-line/quoted.ts'
import type { LocalOptions } from './options.ts'

const ZONE = 'America/New_York'

/** The lead of the first command that a new user copies. */
export const EXAMPLE = { phone_number: '+12125550001', us_state: null, metadata: { timezone: ZONE } }

const { hours } = callingHours(EXAMPLE, {
  defaultTimezone: ZONE,
  defaultWindow: [0, 0],
  account: null,
  emergencies: new Set(),
  placeOfIp: () => undefined,
})

/** An instant from `at` on at which the example is called. An hour after the opening, so that there is time left for more leads. */
const nextCall = (at: number): number => {
  const opening = nextStart(hours, at) ?? at
  return mayStart(hours, opening + HOUR) ? opening + HOUR : opening
}

/** The instant in the shortest form that `--now` takes. */
const instantOf = (at: number): string => new Date(at).toISOString().replace(/(:\d\d)\.\d+Z$/, '$1Z')

const flagsOf = ({ port, dataDirectory }: LocalOptions): string[] => [
  ...(port === 3000 ? [] : [`--port ${port}`]),
  ...(dataDirectory === undefined ? ['--memory'] : dataDirectory === '.local' ? [] : [`--data ${quoted(dataDirectory)}`]),
]

/** Tells whether the service calls the example at once. If not, gives the command that starts the service at a time at which it does. */
export const whenCalled = (options: LocalOptions, at: number): string => {
  if (mayStart(hours, at)) return 'The service calls it at once. A number that ends in 0001 takes the call:'
  const command = ['npm start --', `--now ${instantOf(nextCall(at))}`, ...flagsOf(options)].join(' ')
  return `Nobody may be called in New York now, so it waits until ${instantOf(nextStart(hours, at) ?? at)}.
To see a call at once, stop the service with Ctrl-C, and start it with another clock:

  ${command}

A number that ends in 0001 takes the call:`
}
