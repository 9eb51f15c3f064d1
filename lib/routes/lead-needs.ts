import type { Need } from '../stacks/needs.ts'

const TABLE = ['table:get', 'table:batch-get', 'table:query', 'table:put', 'table:update', 'table:delete'] as const
const CALLS = ['calls:send', 'phone-hash', 'calling-policy'] as const

/** To change a lead and all that depends on it, including its next call. */
export const UPDATES_LEADS = [...TABLE, ...CALLS] as const satisfies readonly Need[]

/** To create leads as well. */
export const WRITES_LEADS = [...TABLE, 'index:by-owner', ...CALLS] as const satisfies readonly Need[]
