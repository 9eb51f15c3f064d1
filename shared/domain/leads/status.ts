import type { LeadStatus } from '../../schema/values.ts'

const CALLABLE: readonly LeadStatus[] = ['OPEN', 'CALLBACK_TO_TRANSFER']

const TERMINAL: readonly LeadStatus[] = ['CLOSED', 'CLOSED_INCOMPLETE', 'LOST', 'SCHEDULE_COMPLETED', 'BAD_NUMBER', 'OUT_OF_TERRITORY']

/** Whether leads of this status are called at all. */
export const isCallable = (status: LeadStatus): boolean => CALLABLE.includes(status)

/** Whether a status is a final outcome. `CANCELLED` is not: it is the client's word, not the end of a conversation. */
export const isTerminal = (status: LeadStatus): boolean => TERMINAL.includes(status)
