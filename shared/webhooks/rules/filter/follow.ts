import { LeadResponse } from '../../../leads/api/lead-response.ts'
import type { PathStep } from './tree.ts'
import { child } from './values.ts'

/** Reads the value at a path of a payload. */
export type PathReader = (payload: unknown) => unknown

const METADATA = 'metadata'

const LEAD_FIELDS: ReadonlySet<PathStep | undefined> = new Set(Object.keys(LeadResponse.entries).filter((field) => field !== METADATA))

export const descend = (from: unknown, steps: readonly PathStep[]): unknown => {
  let value = from
  for (const step of steps) {
    if (value === null) return null
    value = child(value, step)
  }
  return value
}

/** Fast paths for one and two steps, which most paths have. */
const exactly = (steps: readonly PathStep[]): PathReader => {
  const [first = '', second = ''] = steps
  if (steps.length === 1) return (payload) => child(payload, first)
  if (steps.length === 2) return (payload) => child(child(payload, first), second)
  return (payload) => descend(payload, steps)
}

/**
 * The value at a path; null if it is missing. Clients may read every lead field under `metadata` too. If the metadata has no `us_state`,
 * the path `metadata.us_state` gives the lead's own `us_state`.
 */
export const follow = (steps: readonly PathStep[]): PathReader => {
  const found = exactly(steps)
  if (steps[0] !== METADATA || !LEAD_FIELDS.has(steps[1])) return found
  const ofLead = exactly(steps.slice(1))
  if (steps.length === 2) return (payload) => found(payload) ?? ofLead(payload)
  const name = steps[1] ?? ''
  const lacks = (payload: unknown) => child(child(payload, METADATA), name) === null
  return (payload) => (lacks(payload) ? ofLead(payload) : found(payload))
}
