import type { Lead } from '../../leads/lead.ts'

/** The country code of the North American Numbering Plan, whose hours this service knows. */
const NANP = '+1'

/** Outside the numbering plan, only the lead's own timezone decides when its phone may ring. */
export const isInternational = ({ phone_number }: Pick<Lead, 'phone_number'>): boolean => !phone_number.startsWith(NANP)
