import type { Lead } from '../../schema/lead.ts'
import { isZone } from '../time.ts'

/** The lead's explicit time zone, when it names one that exists. */
export const explicitZone = ({ metadata }: Pick<Lead, 'metadata'>): string | undefined => {
  const zone = metadata['timezone']
  return typeof zone === 'string' && isZone(zone) ? zone : undefined
}
