import * as v from 'valibot'
import { choiceField, choicesField } from '../../http/fields/choice.ts'
import { blankAsNull } from '../../http/fields/field.ts'
import { headersField } from '../../http/fields/headers.ts'
import { onlyFields } from '../../http/fields/only-fields.ts'
import { destinationField } from '../../http/fields/url.ts'
import { TRIGGERS, WEBHOOK_METHODS } from '../../platform/values/values.ts'
import { filterField } from './filter.ts'
import { SubscriptionResponse } from './subscription.ts'

/** Most subscriptions per user. After a change, the next event reads all of them. */
export const MOST_SUBSCRIPTIONS = 100

const DEFAULT_METHOD = 'POST'

/** A blank method is the default one. */
export const methodField = v.pipe(
  blankAsNull(choiceField(WEBHOOK_METHODS)),
  v.transform((method) => method ?? DEFAULT_METHOD),
)

/** The body of a subscription's creation. */
export const CreateSubscription = onlyFields(
  {
    url: destinationField(),
    trigger: choicesField(TRIGGERS),
    method: v.optional(methodField, DEFAULT_METHOD),
    filter_condition: v.optional(filterField(), ''),
    headers: v.optional(v.nullable(headersField())),
  },
  { ignored: Object.keys(SubscriptionResponse.entries) },
)
export type CreateSubscription = v.InferOutput<typeof CreateSubscription>
