import * as v from 'valibot'
import type { Call } from '#shared/calling/call.ts'
import { callFromItem } from '#shared/calling/call-store.ts'
import type { PersonItem } from './person-items.ts'

/** Undefined when the call is malformed. Such a call cannot be in progress, and is erased like any other item. */
export const readCall = (item: PersonItem['item']): Call | undefined => {
  try {
    return callFromItem(item)
  } catch (error) {
    if (!v.isValiError(error)) throw error
    return undefined
  }
}
