import { ORDERINGS } from '#shared/leads/rules/newest-first.ts'
import { LEAD_STATUSES } from '#shared/platform/values/values.ts'
import { LONGEST_PERIOD, USUAL_DAYS } from '#shared/statistics/rules/period.ts'
import { FAILED, FAILING } from '#shared/webhooks/api/status-filter.ts'
import type { DocumentedAnswer, Json, Parameter } from './operation.ts'

const MOST = 2 ** 31 - 1

export const id = (what: string): Readonly<Record<string, Parameter>> => ({
  id: { description: `Id of the ${what}.`, schema: { type: 'integer', minimum: 1, maximum: MOST } },
})

export const paging = {
  page: {
    description: 'Page number, from 1. `last` is the last page.',
    schema: { anyOf: [{ type: 'integer', minimum: 1 }, { const: 'last' }] },
  },
  page_size: {
    description: 'Results on one page. More than 100 are reduced to 100.',
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
  },
} as const satisfies Readonly<Record<string, Parameter>>

const text = (description: string): Parameter => ({ description, schema: { type: 'string' } })

export const leadLookUps = {
  phone_number: text('Only leads with exactly this phone number, in any notation.'),
  email: text('Only leads with exactly this email address, in upper or lower case.'),
  external_id: text('Only leads with exactly this id in your own system.'),
} as const

const instant = (description: string): Parameter => ({ description, schema: { type: 'string', format: 'date-time' } })

export const leadFilters = {
  status: {
    description: 'Only leads with this status. Repeat the parameter, or write commas between statuses, for several.',
    schema: { type: 'array', items: { enum: LEAD_STATUSES } },
  },
  lead_type: { description: 'Only leads of this lead type.', schema: { type: 'integer', minimum: 1, maximum: MOST } },
  modified_time_after: instant('Only leads that were last changed at this time or later.'),
  modified_time_before: instant('Only leads that were last changed at this time or earlier.'),
  created_time_after: instant(
    'Only leads that were created at this time or later. Ranges of `created_time` are not combined with status, type, change or order.',
  ),
  created_time_before: instant('Only leads that were created at this time or earlier.'),
  ordering: {
    description:
      'The order of the last change: `modified_time` is the earliest first, as for a synchronisation; `-modified_time` is the latest first.',
    schema: { enum: ORDERINGS },
  },
  cursor: text('Place of the page, from the links `next` and `previous`.'),
} as const satisfies Readonly<Record<string, Parameter>>

export const deliveryFilters = {
  status: {
    description: 'Only deliveries that the service has given up. They have this status until you send them again.',
    schema: { enum: [FAILED] },
  },
  cursor: text('Place of the page, from the links `next` and `previous` of a list with `status`.'),
} as const satisfies Readonly<Record<string, Parameter>>

export const subscriptionFilters = {
  status: {
    description: 'Only enabled subscriptions with a failed attempt and no successful one since.',
    schema: { enum: [FAILING] },
  },
} as const satisfies Readonly<Record<string, Parameter>>

export const listedPhone: Parameter = { ...text('The phone number, in any notation.'), required: true }

export const historyAsked: Parameter = {
  description: 'Whether to include the latest 100 stops and lifts of the number. Default: false.',
  schema: { type: 'boolean', default: false },
}

export const search = text('Only lead types whose name contains every word of this text, in upper or lower case.')

export const userSearch = text('Only users whose name or id contains every word of this text, in upper or lower case.')

export const explainedAt: Parameter = {
  description: 'The time to ask about, past or future. Default: now. Only the clock changes; everything else is as it is now.',
  schema: { type: 'string', format: 'date-time' },
}

export const disclosures: Parameter = {
  description: 'Whether to tell what the agent must say. Default: false.',
  schema: { type: 'boolean', default: false },
}

export const days: Parameter = {
  description: 'How many days from now. Default: 14.',
  schema: { type: 'integer', minimum: 1, maximum: 31, default: 14 },
}

export const taskId: Parameter = { description: 'The `task_id` of an accepted update.', schema: { type: 'string', format: 'uuid' } }

export const uploadId: Parameter = {
  description: 'The `upload_id` of an upload.',
  schema: { type: 'string', format: 'uuid' },
}

/** Headers of Standard Webhooks, except the signature, which is the security scheme. */
export const signatureHeaderParameters = {
  'webhook-id': { description: 'Id of the message. A repeated message has the same id.', schema: { type: 'string', minLength: 1 } },
  'webhook-timestamp': { description: 'Unix time in seconds.', schema: { type: 'string', pattern: '^\\d+$' } },
} as const satisfies Readonly<Record<string, Parameter>>

export const callOfAgent: Readonly<Record<string, Parameter>> = {
  call_id: { description: 'The call that the agent was asked to place, or has answered.', schema: { type: 'string' } },
}

export const agentOfPlatform: Readonly<Record<string, Parameter>> = {
  agent: { description: 'Key of the agent in the operator’s set-up file.', schema: { type: 'string' } },
}

export const toolOfAgent: Readonly<Record<string, Parameter>> = {
  ...agentOfPlatform,
  tool: {
    description: 'Name of the tool: `do_not_call`, `note`, `find_slots`, `book_slot` or `report_outcome`.',
    schema: { type: 'string' },
  },
}

export const callOfEvent: Readonly<Record<string, Parameter>> = {
  call: text('The call, for platforms that take an address for each call.'),
}

const day = (description: string): Parameter => ({ description, schema: { type: 'string', format: 'date' } })

export const statisticsFilters = {
  from: day(`The first day, in UTC. Default: the period has ${USUAL_DAYS} days. It has at most ${LONGEST_PERIOD}.`),
  to: day('The last day, in UTC, which is included. Default: today.'),
  lead_type: leadFilters.lead_type,
  lead_source: text('Only leads with exactly this source, and their calls.'),
} as const satisfies Readonly<Record<string, Parameter>>

/** The header `Retry-After` of an answer. */
export const retryAfter = (description: string): Json => ({ 'Retry-After': { description, schema: { type: 'integer', minimum: 1 } } })

/** For a list whose requested page is too large. */
export const tooLarge: DocumentedAnswer = {
  description: 'The page is too large to be sent: use a smaller `page_size`.',
  holds: 'FieldErrors',
}
