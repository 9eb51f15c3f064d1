import type { LeadStatus, Operations } from '../../client/operations.ts'
import { pageIn } from '../page-in.ts'
import { texts } from '../texts.ts'

export type ListQuery = NonNullable<Operations['GET /api/leads/']['query']>

export const PAGE_SIZE = 25

/** The request in the address, such as `#/leads?status=OPEN&changed=2026-11-20&lead_type=4`. */
export interface LeadsAsked {
  readonly status: LeadStatus | undefined
  /** Day of the creation, as YYYY-MM-DD. The API combines it with nothing else. */
  readonly created: string | undefined
  /** Day of the last change. */
  readonly changed: string | undefined
  readonly leadType: number | undefined
}

const isStatus = (text: string | null): text is LeadStatus => text !== null && Object.hasOwn(texts.statuses, text)

const dayIn = (text: string | null): string | undefined =>
  text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined

export const leadsAsked = (query: URLSearchParams): LeadsAsked => {
  const created = dayIn(query.get('created'))
  if (created !== undefined) return { status: undefined, created, changed: undefined, leadType: undefined }
  const [status, leadType] = [query.get('status'), query.get('lead_type')]
  return {
    status: isStatus(status) ? status : undefined,
    created,
    changed: dayIn(query.get('changed')),
    leadType: leadType !== null && /^[1-9]\d{0,9}$/.test(leadType) ? Number(leadType) : undefined,
  }
}

const endOf = (day: string): string => `${day}T23:59:59.999Z`

/** The request for the list. A look-up is not in the address, because it names a person. */
export const listQuery = ({ status, created, changed, leadType }: LeadsAsked, query: URLSearchParams): ListQuery => {
  const cursor = query.get('cursor')
  return {
    page_size: PAGE_SIZE,
    ...(status && { status: [status] }),
    ...(created !== undefined && { created_time_after: created, created_time_before: endOf(created) }),
    ...(changed !== undefined && { modified_time_after: changed, modified_time_before: endOf(changed) }),
    ...(leadType !== undefined && { lead_type: leadType }),
    ...pageIn(query),
    ...(cursor !== null && { cursor }),
  }
}

/** The place of the same list with another status. A list by day of creation has none. */
export const placeWithStatus = ({ changed, leadType }: LeadsAsked, status: string): string => {
  const place = new URLSearchParams({
    ...(status !== '' && { status }),
    ...(changed !== undefined && { changed }),
    ...(leadType !== undefined && { lead_type: `${leadType}` }),
  })
  return place.size === 0 ? 'leads' : `leads?${place}`
}
