import * as v from 'valibot'
import { choicesField } from '../../http/fields/choice.ts'
import { headersField } from '../../http/fields/headers.ts'
import { onlyFields } from '../../http/fields/only-fields.ts'
import { destinationField } from '../../http/fields/url.ts'
import { TRIGGERS } from '../../platform/values/values.ts'
import { methodField } from './create-subscription.ts'
import { filterField } from './filter.ts'
import { SubscriptionResponse } from './subscription.ts'

/** The body of a subscription's update. Fields that were not sent are undefined and stay unchanged. */
export const UpdateSubscription = onlyFields(
  {
    url: v.optional(destinationField()),
    trigger: v.optional(choicesField(TRIGGERS)),
    method: v.optional(methodField),
    filter_condition: v.optional(filterField()),
    headers: v.optional(v.nullable(headersField())),
  },
  { ignored: Object.keys(SubscriptionResponse.entries) },
)
export type UpdateSubscription = v.InferOutput<typeof UpdateSubscription>
