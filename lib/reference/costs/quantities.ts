import { DAY, HOUR, MINUTE, SECOND } from '#shared/platform/values/durations.ts'

/** A whole number, with commas. */
export const count = (number: number): string => number.toLocaleString('en')

const ofUnits =
  (units: readonly (readonly [size: number, name: string])[]) =>
  (amount: number): string => {
    const [size, name] = units.find(([size]) => amount >= size && amount % (size / 4) === 0) ?? units.at(-1) ?? [1, '']
    const number = amount / size
    return `${count(number)} ${name}${number === 1 || !/^[a-z]/.test(name) ? '' : 's'}`
  }

export const bytes = ofUnits([
  [1024 ** 3, 'GiB'],
  [1024 ** 2, 'MiB'],
  [1024, 'KiB'],
  [1, 'byte'],
])

/** Milliseconds in words. */
export const time = ofUnits([
  [DAY, 'day'],
  [HOUR, 'hour'],
  [MINUTE, 'minute'],
  [SECOND, 'second'],
  [1, 'millisecond'],
])

export const characters = (number: number): string => `${count(number)} characters`

/** Units of the table, events of the bus and queue messages for one thing of a kind. */
export interface CountedUnits {
  /** Read and write units of DynamoDB. */
  readonly read: number
  readonly write: number
  /** Events that it causes. */
  readonly events: number
  readonly messages: number
}

/**
 * Counted by the local engines, for a lead of less than 1 KB with phone number, email, id and state. Averages, rounded to a half. The test
 * `counted-units` counts them again.
 */
export const COUNTED = {
  create: { read: 3, write: 18, events: 1, messages: 1 },
  bulkCreate: { read: 4, write: 13.5, events: 1, messages: 1 },
  row: { read: 4, write: 16, events: 1, messages: 1 },
  unansweredCall: { read: 21, write: 25, events: 3, messages: 0 },
  transferredCall: { read: 34, write: 35, events: 6, messages: 0 },
  delivery: { read: 3.5, write: 5, events: 0, messages: 1 },
  sweep: { read: 53, write: 0, events: 0, messages: 0 },
} as const satisfies Readonly<Record<string, CountedUnits>>

/** The agent's reports in the counted calls, with their data. */
export const REPORTS = {
  unansweredCall: { 'call.ended': {}, 'call.completed': { outcome: 'no_answer' } },
  transferredCall: {
    'call.answered': {},
    'call.data_collected': { collected: { interested_in: 'home insurance' } },
    'call.transfer_initiated': { mode: 'warm', destination: '+12125550199' },
    'call.transfer_connected': {},
    'call.ended': { duration_seconds: 90 },
    'call.completed': { outcome: 'transferred_warm', is_contact: true, summary: 'Would like a quote.' },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>
