import type { LeadStatus } from '../../platform/values/values.ts'

const CALLABLE: readonly LeadStatus[] = ['OPEN', 'CALLBACK_TO_TRANSFER']

/** Whether leads of this status are called at all. */
export const isCallable = (status: LeadStatus): boolean => CALLABLE.includes(status)
