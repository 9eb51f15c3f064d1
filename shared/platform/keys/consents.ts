import type { Key } from './key.ts'

/** Partition of the consent records of a phone, of one owner. */
export const consentPk = (owner: number, phoneNumber: string): string => `CONSENT#${owner}#${phoneNumber}`

export const CONSENT_RECORD_PREFIX = 'RECORD#'

const SEQUENCE_DIGITS = 10

/** @param sequence 1 for the first record of the phone. Records sort in the order in which they were received */
export const consentRecordKey = (owner: number, phoneNumber: string, sequence: number): Key => ({
  pk: consentPk(owner, phoneNumber),
  sk: `${CONSENT_RECORD_PREFIX}${String(sequence).padStart(SEQUENCE_DIGITS, '0')}`,
})

/** The current consent of a phone, computed from its records, so that the gate needs one read unit however long the history is. */
export const consentStateKey = (owner: number, phoneNumber: string): Key => ({ pk: consentPk(owner, phoneNumber), sk: 'STATE' })
