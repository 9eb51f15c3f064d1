import * as v from 'valibot'
import { Dictionary, fields } from '../fields/field.ts'
import { charField } from '../fields/text.ts'

/** Names subscriptions by their destination, as it was sent when they were made. */
export const DeleteByUrl = v.pipe(Dictionary, fields({ url: charField({ maxLength: 255 }) }))
