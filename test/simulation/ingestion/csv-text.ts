import type { Fields } from './people.ts'

export const COLUMNS = ['Lead ID', 'First Name', 'Last Name', 'Phone', 'Email', 'State', 'Zip', 'Source', 'Notes'] as const

export const END = '\r\n'

/** A cell as CSV, quoted only when needed. */
export const cellOf = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Phone numbers as people write them. */
const WRITTEN: readonly ((digits: string) => string)[] = [
  (digits) => `+1${digits}`,
  (digits) => `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`,
  (digits) => `${digits.slice(0, 3)}-${digits.slice(3, 6)}-${digits.slice(6)}`,
  (digits) => digits,
]

const written = (phoneNumber: string): string => {
  const digits = phoneNumber.slice(2)
  return WRITTEN[Number(digits) % WRITTEN.length]!(digits)
}

/** The cells of a row, not yet quoted. @param notes for a column that the source does not know */
export const cellsOf = (
  id: string,
  { first_name, last_name, phone_number, email, us_state, zip, lead_source }: Fields,
  notes = '',
): string[] => [
  ...[id, first_name ?? '', last_name ?? '', phone_number ? written(phone_number) : '', email ?? ''],
  // Some in lower case, which the source's mapping accepts.
  ...[zip?.endsWith('3') ? (us_state ?? '').toLowerCase() : (us_state ?? ''), zip ?? '', lead_source ?? '', notes],
]

export const rowText = (cells: readonly string[]): string => cells.map(cellOf).join(',')
