import { isSlip, lettersOf } from '../../http/fields/nearest.ts'
import { CONSENT_PREFIX } from '../../ingestion/rules/target-fields.ts'
import { CONSENT_FIELD_NAMES } from './field-names.ts'

/** Longer names are not compared: that would take too long. */
const LONGEST_NAME = 40

const FIELDS = CONSENT_FIELD_NAMES.map((name) => ({ field: `${CONSENT_PREFIX}${name}`, letters: lettersOf(`${CONSENT_PREFIX}${name}`) }))

/** The field of a consent that a name such as `consent_type` or `consent.typ` probably means. */
export const consentFieldMeant = (name: string): string | undefined => {
  if (name.length > LONGEST_NAME) return undefined
  const letters = lettersOf(name)
  const same = FIELDS.find((one) => one.letters === letters)
  return (same ?? FIELDS.find((one) => isSlip(letters, one.letters, 1)))?.field
}
