import type { Period } from '#shared/statistics/rules/period.ts'
import type { LeadStatus, Operations } from '../../client/operations.ts'
import { pageIn } from '../page-in.ts'
import { texts } from '../texts.ts'

export type ListQuery = NonNullable<Operations['GET /api/leads/']['query']>

export const PAGE_SIZE = 25

/** The request in the address, such as `#/leads?status=OPEN&changed=2026-11-19..2026-11-20&lead_type=4`. */
export interface LeadsAsked {
  readonly status: LeadStatus | undefined
  /** Days of the creation. The API combines them with nothing else. */
  readonly created: Period | undefined
  /** Days of the last change. */
  readonly changed: Period | undefined
  readonly leadType: number | undefined
}

export const isStatus = (text: string | null): text is LeadStatus => text !== null && Object.hasOwn(texts.statuses, text)

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

/** A day, or two with dots between them. */
const parseDays = (text: string | null): Period | undefined => {
  const [from = '', to = from, ...more] = text?.split('..') ?? []
  return more.length === 0 && isDay(from) && isDay(to) && from <= to ? { from, to } : undefined
}

export const leadsAsked = (query: URLSearchParams): LeadsAsked => {
  const created = parseDays(query.get('created'))
  if (created !== undefined) return { status: undefined, created, changed: undefined, leadType: undefined }
  const [status, leadType] = [query.get('status'), query.get('lead_type')]
  return {
    status: isStatus(status) ? status : undefined,
    created,
    changed: parseDays(query.get('changed')),
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
    ...(created !== undefined && { created_time_after: created.from, created_time_before: endOf(created.to) }),
    ...(changed !== undefined && { modified_time_after: changed.from, modified_time_before: endOf(changed.to) }),
    ...(leadType !== undefined && { lead_type: leadType }),
    ...pageIn(query),
    ...(cursor !== null && { cursor }),
  }
}

const daysText = ({ from, to }: Period): string => (from === to ? from : `${from}..${to}`)

/** The place of the list. */
export const leadsPlace = ({ status, created, changed, leadType }: Partial<LeadsAsked>): string => {
  const place = new URLSearchParams({
    ...(status !== undefined && { status }),
    ...(created !== undefined && { created: daysText(created) }),
    ...(changed !== undefined && { changed: daysText(changed) }),
    ...(leadType !== undefined && { lead_type: `${leadType}` }),
  })
  return place.size === 0 ? 'leads' : `leads?${place}`
}
