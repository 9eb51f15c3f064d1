import * as v from 'valibot'
import { choiceField, choicesField } from '../fields/choice.ts'
import { blankAsNull } from '../fields/field.ts'
import { filterField } from '../fields/filter.ts'
import { headersField } from '../fields/headers.ts'
import { onlyFields } from '../fields/only-fields.ts'
import { destinationField } from '../fields/url.ts'
import { SubscriptionResponse } from '../responses/subscription.ts'
import { TRIGGERS, WEBHOOK_METHODS } from '../values.ts'

/** Of a user: all of them are read for each of its events. */
export const MOST_SUBSCRIPTIONS = 100

const DEFAULT_METHOD = 'POST'

const methodField = v.pipe(
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
