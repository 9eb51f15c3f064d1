import * as v from 'valibot'
import { dateTimeField } from '../../http/fields/date-time.ts'
import { Dictionary, fields } from '../../http/fields/field.ts'
import { integerField } from '../../http/fields/number.ts'
import { charField } from '../../http/fields/text.ts'

const MINUTES_OF_A_DAY = 1440

/** The call of the path, once more: it is signed. */
const call_id = charField({ maxLength: 255 })

const duration_minutes = v.nullish(integerField({ min: 1, max: MINUTES_OF_A_DAY }), null)

/** What an agent looks for in a calendar. */
export const FindSlots = v.pipe(
  Dictionary,
  fields({ call_id, from: v.nullish(dateTimeField(), null), to: v.nullish(dateTimeField(), null), duration_minutes }),
  v.forward(
    v.check(({ from, to }) => from === null || to === null || from < to, 'Ensure this value is later than that of from.'),
    ['to'],
  ),
)
export type FindSlots = v.InferOutput<typeof FindSlots>

/** What an agent books in one. */
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
