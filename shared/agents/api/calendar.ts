import * as v from 'valibot'
import { dateTimeField } from '../../http/fields/date-time.ts'
import { Dictionary, fields } from '../../http/fields/field.ts'
import { integerField } from '../../http/fields/number.ts'
import { charField } from '../../http/fields/text.ts'

const MINUTES_OF_A_DAY = 1440

/** Repeats the call id of the path, because the signature covers only the body. */
const call_id = charField({ maxLength: 255 })

const duration_minutes = v.nullish(integerField({ min: 1, max: MINUTES_OF_A_DAY }), null)

/** The body of an agent's search for free slots. */
export const FindSlots = v.pipe(
  Dictionary,
  fields({ call_id, from: v.nullish(dateTimeField(), null), to: v.nullish(dateTimeField(), null), duration_minutes }),
  v.forward(
    v.check(({ from, to }) => from === null || to === null || from < to, 'Ensure this value is later than that of from.'),
    ['to'],
  ),
)
export type FindSlots = v.InferOutput<typeof FindSlots>

/** The body of an agent's booking. */
export const BookSlot = v.pipe(
  Dictionary,
  fields({
    call_id,
    start_time: dateTimeField(),
    duration_minutes,
    title: v.nullish(charField({ maxLength: 255, allowBlank: true }), null),
    notes: v.nullish(charField({ maxLength: 4000, allowBlank: true }), null),
  }),
)
export type BookSlot = v.InferOutput<typeof BookSlot>
