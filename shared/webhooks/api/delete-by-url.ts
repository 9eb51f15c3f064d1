import { onlyFields } from '../../http/fields/only-fields.ts'
import { charField } from '../../http/fields/text.ts'

/** Names subscriptions by their destination, as it was sent when they were made. */
export const DeleteByUrl = onlyFields({ url: charField({ maxLength: 255 }) })
