import * as v from 'valibot'
import { dateTimeField } from '../../http/fields/date-time.ts'
import { onlyFields } from '../../http/fields/only-fields.ts'

/** The body of an order to call a lead. */
export const ScheduleCall = onlyFields({
  call_time: v.pipe(
    v.optional(v.nullable(dateTimeField()), null),
    v.description('When to call. Null or left out: at the next available time.'),
  ),
})
