import * as v from 'valibot'
import { choiceField, unknownChoice } from '../../http/fields/choice.ts'
import { dateTimeField, withOffsetPlus } from '../../http/fields/date-time.ts'
import { Dictionary, field, fieldErrors, fields, type Refusal, refuse } from '../../http/fields/field.ts'
import { idField } from '../../http/fields/number.ts'
import { invalid } from '../../platform/values/errors.ts'
import { LEAD_STATUSES, type LeadStatus } from '../../platform/values/values.ts'
import { isLimited, type LeadFilter, type TimeRange } from '../rules/lead-filter.ts'
import { ORDERINGS, type Ordering } from '../rules/newest-first.ts'

const BLANK = 'This field may not be blank. Leave the parameter out to list leads with any value.'

const NOT_WITH_CREATED =
  'Ranges of created_time cannot be combined with status, lead_type, modified_time_after, modified_time_before, ordering or cursor.'

/** Choices of a query parameter, repeated or with commas between them. */
const chosen = <T extends string>(choices: readonly T[]) =>
  field(
    (value): T[] | Refusal => {
      const said = [...new Set(`${value}`.split(',').map((text) => text.trim()))]
      if (said.includes('')) return refuse(BLANK)
      const found = said.flatMap((text) => choices.find((choice) => choice === text) ?? [])
      const strange = said.filter((text) => !choices.some((choice) => choice === text))
      return strange.length > 0 ? refuse(...strange.slice(0, choices.length).map((text) => unknownChoice(text, choices))) : found
    },
    { type: 'array', items: { enum: choices } },
  )

/** A named filter must have a value: a blank one would list everything. */
const filled = <S extends v.GenericSchema<unknown>>(schema: S) =>
  v.optional(
    v.pipe(
      v.unknown(),
      v.check((value) => `${value}`.trim() !== '', BLANK),
      schema,
    ),
  )

const FILTERS = {
  status: filled(chosen(LEAD_STATUSES)),
  lead_type: filled(idField()),
  modified_time_after: filled(dateTimeField()),
  modified_time_before: filled(dateTimeField()),
  created_time_after: filled(dateTimeField()),
  created_time_before: filled(dateTimeField()),
  ordering: filled(choiceField(ORDERINGS)),
}

/** The query parameters that filter and order a list of leads. */
export const LIST_PARAMETERS = [...Object.keys(FILTERS), 'cursor']

const ListRequest = v.pipe(Dictionary, fields(FILTERS))

type Query = Readonly<Record<string, readonly string[]>>

const givenIn = (query: Query): Record<string, unknown> =>
  Object.fromEntries(
    Object.keys(FILTERS).flatMap((name) => {
      const values = query[name]
      if (values === undefined) return []
      const last = values.at(-1) ?? ''
      if (name === 'status') return [[name, values.join(',')]]
      return [[name, name.includes('_time_') ? withOffsetPlus(last) : last]]
    }),
  )

const checkOrder = (name: string, { after = -Infinity, before = Infinity }: TimeRange): void => {
  if (after > before) throw invalid({ [`${name}_before`]: [`The range is empty: ${name}_before is earlier than ${name}_after.`] })
}

export interface ListAsked extends LeadFilter {
  readonly ordering: Ordering | undefined
  readonly cursor: string | undefined
}

/** Whether the list is ordered or limited by the last change. It accepts no other filters. */
export const isByChange = ({ statuses, leadType, modified, ordering, cursor }: ListAsked): boolean =>
  [statuses, leadType, ordering, cursor].some((given) => given !== undefined) || isLimited(modified)

/**
 * The list by creation accepts no other filter.
 * @throws ServiceError when the request has another one
 */
export const checkCombination = (asked: ListAsked): void => {
  if (!isLimited(asked.created) || !isByChange(asked)) return
  const name = asked.created.after === undefined ? 'created_time_before' : 'created_time_after'
  throw invalid({
    [name]: [`${NOT_WITH_CREATED} They can be combined with phone_number, email and external_id.`],
  })
}

/** Whether the request has neither filters nor an order. */
export const isWhole = (asked: ListAsked): boolean => !isByChange(asked) && !isLimited(asked.created)

/** The filters and the order in a request's query. @throws ServiceError of each wrong parameter */
export const listAsked = (query: Query): ListAsked => {
  const { success, output, issues } = v.safeParse(ListRequest, givenIn(query))
  if (!success) throw invalid(fieldErrors(issues))
  const modified = { after: output.modified_time_after, before: output.modified_time_before }
  const created = { after: output.created_time_after, before: output.created_time_before }
  checkOrder('modified_time', modified)
  checkOrder('created_time', created)
  const statuses: readonly LeadStatus[] | undefined = output.status
  return { statuses, leadType: output.lead_type, modified, created, ordering: output.ordering, cursor: query['cursor']?.at(-1) }
}
