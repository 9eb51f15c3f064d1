import * as v from 'valibot'
import { emailField } from '../../http/fields/email.ts'
import { isEcho } from '../../http/fields/metadata.ts'
import { integerField } from '../../http/fields/number.ts'
import { charField } from '../../http/fields/text.ts'
import { readUsState } from '../../location/rules/state.ts'
import { LeadResponse } from '../api/lead-response.ts'

const stateField = v.pipe(
  v.unknown(),
  v.transform((said) => readUsState(said).value),
  v.string(),
)

/** Lead fields that an agent may fill with what it learns in a call. */
const FILLABLE = {
  email: emailField(),
  external_id: charField({ maxLength: 255 }),
  us_state: stateField,
  lead_source: charField({ maxLength: 255 }),
  representative: integerField({ min: 1 }),
} as const

export type FillableField = keyof typeof FILLABLE

const isFillable = (name: string): name is FillableField => Object.hasOwn(FILLABLE, name)

export const fillableField = (name: string): FillableField | undefined => (isFillable(name) ? name : undefined)

/** The value in the field's format; undefined when the field cannot take it. */
export const valueFor = (field: FillableField, said: unknown): string | number | undefined => {
  const read = v.safeParse(FILLABLE[field], said)
  return read.success ? read.output : undefined
}

/** Whether a name means a lead field, not a metadata key. */
export const isLeadField = (name: string): boolean => name !== 'metadata' && (Object.hasOwn(LeadResponse.entries, name) || isEcho(name))
