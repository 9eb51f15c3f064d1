/** What becomes of a lead whose call ends so, and what its owner is told of that. `isCalledAgain`: whether a next call stands. */
interface Ending {
  readonly state: Readonly<Record<string, unknown>>
  readonly isCalledAgain: boolean
  readonly told: readonly string[]
}

const further: Ending = { state: { status: 'OPEN', status_reason: 'CHAT' }, isCalledAgain: true, told: [] }
const final = (told: string, state: Ending['state']): Ending => ({ state, isCalledAgain: false, told: [told] })

/** By the last four digits of the phone: those by which the simulated agent brings a call to an end in seconds. */
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

/** Persons at this number ask not to be called again. */
export const STOPPING = '0007'

export const endingOf = (phone: string): Ending | undefined => ENDINGS[phone.slice(-4)]

/** Indices for which `personOf` gives persons. */
export const MOST_PERSONS = 6000

const AREAS = [212, 312, 415, 617, 713]
const EXCHANGES = 800
const LAST_DIGITS = Object.keys(ENDINGS).sort()

const phoneOf = (index: number): string => {
  const exchange = 200 + (Math.floor(index / AREAS.length) % EXCHANGES)
  return `+1${AREAS[index % AREAS.length]}${exchange}${LAST_DIGITS[index % LAST_DIGITS.length]}`
}

/** Every eighth shares the phone of the one before; the email is everybody's own. */
export const personOf = (index: number): { readonly phone_number: string; readonly email: string } => ({
  phone_number: phoneOf(index % 8 === 7 ? index - 1 : index),
  email: `person${index}@example.com`,
})
