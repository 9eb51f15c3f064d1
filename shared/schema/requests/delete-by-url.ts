import { onlyFields } from '../fields/only-fields.ts'
import { charField } from '../fields/text.ts'

/** Names subscriptions by their destination, as it was sent when they were made. */
export const DeleteByUrl = onlyFields({ url: charField({ maxLength: 255 }) })
