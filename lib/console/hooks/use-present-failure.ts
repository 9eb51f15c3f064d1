import { useMemo, useRef } from 'preact/hooks'
import { ApiError } from '../../client/api-error.ts'
import { isRefusal } from '../parts/form-failure.tsx'

/** By the names that the API gives to the fields. */
type Values = Readonly<Record<string, unknown>>

/**
 * Why a form was refused, without the errors of the fields whose values have changed since the answer came. An error about several fields
 * goes with the first change. Undefined when no error is left.
 * @param present the values that the form shows
 */
export const usePresentFailure = (failure: unknown, present: Values): unknown => {
  const arrived = useRef({ failure, present })
  if (arrived.current.failure !== failure) arrived.current = { failure, present }
  const { present: before } = arrived.current
  const errors = isRefusal(failure) ? Object.entries(failure.fields) : []
  const isChanged = (name: string): boolean => before[name] !== present[name]
  const isAnyChanged = Object.keys({ ...before, ...present }).some(isChanged)
  const left = errors.filter(([name]) => !(name === 'non_field_errors' ? isAnyChanged : isChanged(name)))
  // A new object would make `FormFailure` move the focus.
  return useMemo(() => {
    if (left.length === errors.length) return failure
    return left.length === 0 ? undefined : new ApiError('', { status: 400, headers: new Headers() }, Object.fromEntries(left))
  }, [failure, left.map(([name]) => name).join(' ')])
}
