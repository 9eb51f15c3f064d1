import { unknownChoice } from '../../http/fields/choice.ts'
import { invalid } from '../../platform/values/errors.ts'

/** Deliveries that the service has given up. Only this status makes a list of its own. */
export const FAILED = 'failed'
/** Subscriptions that are enabled, and whose deliveries do not arrive. */
export const FAILING = 'failing'

/** The query parameters that filter a list of deliveries. */
export const DELIVERIES_PARAMETERS = ['status', 'cursor'] as const

interface StatusFilter {
  /** The only status that the list has a filter for. */
  readonly listed: string
  /** A noun for the entries of the whole list, such as `deliveries`. */
  readonly all: string
}

/**
 * Whether a list of one status is asked for.
 * @throws ServiceError when `status` is any other text
 */
export const isStatusAsked = ({ status }: Readonly<Record<string, string>>, { listed, all }: StatusFilter): boolean => {
  if (status?.trim() === '') throw invalid({ status: [`This field may not be blank. Leave the parameter out to list all ${all}.`] })
  if (status !== undefined && status !== listed) throw invalid({ status: [unknownChoice(status, [listed])] })
  return status === listed
}
