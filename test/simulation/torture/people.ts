/** The lead's state after a call that ends this way, and its owner's events. `isCalledAgain`: whether it has a next call. */
interface Ending {
  readonly state: Readonly<Record<string, unknown>>
  readonly isCalledAgain: boolean
  readonly told: readonly string[]
}

const further: Ending = { state: { status: 'OPEN', status_reason: 'CHAT' }, isCalledAgain: true, told: [] }
const final = (told: string, state: Ending['state']): Ending => ({ state, isCalledAgain: false, told: [told] })

/** By the last four digits of the phone. With these, the simulated agent ends a call within seconds. */
export const ENDINGS: Readonly<Record<string, Ending>> = {
  '0001': final('LEAD_CLOSED', { status: 'CLOSED', status_detail: 'warm_transfer' }),
  '0002': further,
  '0003': further,
  '0004': { state: { status: 'CALLBACK_TO_TRANSFER' }, isCalledAgain: true, told: ['LEAD_CALLBACK_TO_TRANSFER'] },
  '0005': final('LEAD_SCHEDULE_COMPLETED', { status: 'SCHEDULE_COMPLETED', status_detail: 'appointment_booked' }),
  '0006': final('LEAD_LOST', { status: 'LOST', status_detail: null }),
  '0007': {
    state: { status: 'LOST', status_detail: 'has_call_dnc', call_dnc: true },
    isCalledAgain: false,
    told: ['LEAD_LOST', 'CALL_DNC'],
  },
  '0008': final('LEAD_BAD_NUMBER', { status: 'BAD_NUMBER' }),
  '0012': further,
}

/** Persons with this number ask for no more calls. */
export const STOPPING = '0007'

export const endingOf = (phone: string): Ending | undefined => ENDINGS[phone.slice(-4)]

/** Number of valid indices for `personOf`. */
export const MOST_PERSONS = 6000

const AREAS = [212, 312, 415, 617, 713]
const EXCHANGES = 800
const LAST_DIGITS = Object.keys(ENDINGS).sort()

const phoneOf = (index: number): string => {
  const exchange = 200 + (Math.floor(index / AREAS.length) % EXCHANGES)
  return `+1${AREAS[index % AREAS.length]}${exchange}${LAST_DIGITS[index % LAST_DIGITS.length]}`
}

/** Every eighth person shares the phone of the one before. Each has a different email. */
export const personOf = (index: number): { readonly phone_number: string; readonly email: string } => ({
  phone_number: phoneOf(index % 8 === 7 ? index - 1 : index),
  email: `person${index}@example.com`,
})
