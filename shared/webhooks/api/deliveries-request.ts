import { unknownChoice } from '../../http/fields/choice.ts'
import { invalid } from '../../platform/values/errors.ts'

/** Only this status makes a list of its own. */
export const LISTED_STATUSES = ['failed'] as const

/** The query parameters that filter a list of deliveries. */
export const DELIVERIES_PARAMETERS = ['status', 'cursor'] as const

const BLANK = 'This field may not be blank. Leave the parameter out to list all deliveries.'

interface DeliveriesAsked {
  readonly isFailed: boolean
  readonly cursor: string | undefined
}

/** @throws ServiceError under the name of a parameter that is wrong */
export const deliveriesAsked = ({ status, cursor }: Readonly<Record<string, string>>): DeliveriesAsked => {
  if (status?.trim() === '') throw invalid({ status: [BLANK] })
  if (status !== undefined && status !== 'failed') throw invalid({ status: [unknownChoice(status, LISTED_STATUSES)] })
  // Only pages of this list have cursors.
  return { isFailed: status === 'failed' || cursor !== undefined, cursor }
}
