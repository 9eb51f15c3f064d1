import * as v from 'valibot'
import { externalIdsField } from '../../http/fields/external-ids.ts'
import { blankAsNull } from '../../http/fields/field.ts'
import { idField } from '../../http/fields/number.ts'
import { onlyFields } from '../../http/fields/only-fields.ts'
import { phoneField } from '../../http/fields/phone.ts'
import { representativeField } from '../../http/fields/representative.ts'
import { charField } from '../../http/fields/text.ts'

const UNNAMED = 'One of call_id, lead_id, phone_number is required.'

/** The body of an update of a call in progress. At least one field names the call; several must name the same call. */
export const UpdateLiveCall = v.pipe(
  onlyFields({
    call_id: v.optional(blankAsNull(charField({ maxLength: 255 }))),
    lead_id: v.optional(blankAsNull(idField())),
    phone_number: v.optional(blankAsNull(phoneField())),
    representative: v.optional(v.nullable(representativeField())),
    external_id: v.optional(blankAsNull(charField({ maxLength: 255 }))),
    external_ids: v.optional(v.nullable(externalIdsField())),
  }),
  v.check(({ call_id, lead_id, phone_number }) => [call_id, lead_id, phone_number].some((name) => (name ?? null) !== null), UNNAMED),
)
export type UpdateLiveCall = v.InferOutput<typeof UpdateLiveCall>
