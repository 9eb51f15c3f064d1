import { useMemo } from 'preact/hooks'
import { ApiError } from '../../client/api-error.ts'
import { isRefusal } from '../parts/form-failure.tsx'

/** By the names that the API gives to the fields. */
type Values = Readonly<Record<string, unknown>>

/**
 * Why a form was refused, without the errors of the fields whose values have changed since. Undefined when no error is left.
 * @param sent the values that were refused
 * @param present the values that the form shows
 */
export const usePresentFailure = (failure: unknown, sent: Values, present: Values): unknown => {
  const errors = isRefusal(failure) ? Object.entries(failure.fields) : []
  const left = errors.filter(([name]) => sent[name] === present[name])
  // The same object until an error goes: whoever shows it moves the focus when it gets another one.
  return useMemo(() => {
    if (left.length === errors.length) return failure
    return left.length === 0 ? undefined : new ApiError('', { status: 400, headers: new Headers() }, Object.fromEntries(left))
  }, [failure, left.map(([name]) => name).join(' ')])
}
