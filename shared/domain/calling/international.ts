import type { Lead } from '../../schema/lead.ts'
import { explicitZone } from './explicit-zone.ts'

/** The country code of the North American Numbering Plan, whose hours this service knows. */
const NANP = '+1'

export const isInternational = ({ phone_number }: Pick<Lead, 'phone_number'>): boolean => !phone_number.startsWith(NANP)

/** Whether anything tells when this phone may ring: outside the numbering plan only the lead's own word does. */
export const hasKnownHours = (lead: Pick<Lead, 'phone_number' | 'metadata'>): boolean =>
  !isInternational(lead) || explicitZone(lead) !== undefined
