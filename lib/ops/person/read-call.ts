import * as v from 'valibot'
import type { Call } from '#shared/calling/call.ts'
import { callFromItem } from '#shared/calling/call-store.ts'
import type { PersonItem } from './person-items.ts'

/** Undefined when it cannot be read: nobody can be on the phone by it, and it is erased like any other. */
export const readCall = (item: PersonItem['item']): Call | undefined => {
  try {
    return callFromItem(item)
  } catch (error) {
    if (!v.isValiError(error)) throw error
    return undefined
  }
}
