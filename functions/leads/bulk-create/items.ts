import * as v from 'valibot'
import { withLeadTypeErrors } from '#shared/accounts/lead-type.ts'
import { fieldErrors, isDictionary } from '#shared/http/fields/field.ts'
import { NOT_AN_OBJECT } from '#shared/leads/api/bulk-request.ts'
import { CreateLead } from '#shared/leads/api/create-lead.ts'
import { refusalText } from '#shared/leads/bulk/refusal.ts'
import { type CreateOptions, createLead } from '#shared/leads/create-lead.ts'
import { NO_IDS_LEFT } from '#shared/platform/ids/ids.ts'
import { loggable, logger } from '#shared/platform/logger.ts'
import { RaceLostError } from '#shared/platform/transient-errors.ts'
import { invalid, ServiceError } from '#shared/platform/values/errors.ts'

/** The result of one item, as clients see it. */
export type Result =
  | { readonly id: null; readonly action: 'error'; readonly error: string }
  | {
      readonly id: number
      readonly action: 'created' | 'reengaged'
      readonly phone_number: string
      readonly external_id: string | null
      readonly enqueue_error?: true
    }

const failed = (error: string): Result => ({ id: null, action: 'error', error })

const NOT_CREATED = failed('The lead could not be created. Please send it again.')

/** For an item that was not begun, or that kept losing races for its person. */
export const NO_TIME = failed('There was no time left for this lead. Please send it again.')

const NO_IDS = failed(NO_IDS_LEFT)

/** Whether the item may succeed if it is sent again unchanged. */
export const isUnfinished = (result: Result): boolean => [NOT_CREATED, NO_TIME, NO_IDS].includes(result)

/** The item's fields, or why it cannot be a lead. */
export const readNewLead = async (owner: number, item: unknown): Promise<{ readonly input: CreateLead } | { readonly result: Result }> => {
  if (!isDictionary(item)) return { result: failed(NOT_AN_OBJECT) }
  const read = v.safeParse(CreateLead, item)
  if (read.success) return { input: read.output }
  return { result: failed(refusalText(invalid(await withLeadTypeErrors(owner, item, fieldErrors(read.issues))))) }
}

/** Creates one lead. A failure does not affect the others. */
export const createItem = async (owner: number, input: CreateLead, options: CreateOptions): Promise<Result> => {
  try {
    const { lead, action, enqueued } = await createLead(owner, input, options)
    const { id, phone_number, external_id } = lead
    return { id, action, phone_number, external_id, ...(action === 'created' && !enqueued && { enqueue_error: true }) }
  } catch (error) {
    if (error instanceof ServiceError) return error.code === 'unavailable' ? NO_IDS : failed(refusalText(error))
    if (error instanceof RaceLostError) return NO_TIME
    logger.error('One lead of many could not be created.', { error: loggable(error) })
    return NOT_CREATED
  }
}
