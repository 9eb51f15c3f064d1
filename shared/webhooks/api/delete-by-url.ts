import { onlyFields } from '../../http/fields/only-fields.ts'
import { charField } from '../../http/fields/text.ts'

/** Names subscriptions by the URL that their creation sent. */
export const DeleteByUrl = onlyFields({ url: charField({ maxLength: 255 }) })
