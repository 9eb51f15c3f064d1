import type { Lead } from '../../leads/lead.ts'
import type { Lines } from '../../stops/compliance.ts'

/** Whether the owner's pause covers this lead: it covers all leads, or those that existed when it began. */
export const isPaused = ({ lead, lines }: { readonly lead: Lead; readonly lines: Lines }): boolean =>
  lines.paused || lead.position <= lines.paused_upto
