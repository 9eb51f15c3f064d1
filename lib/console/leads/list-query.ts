import type { Period } from '#shared/statistics/rules/period.ts'
import type { LeadStatus, Operations } from '../../client/operations.ts'
import { pageIn } from '../page-in.ts'
import { texts } from '../texts.ts'

export type ListQuery = NonNullable<Operations['GET /api/leads/']['query']>

export const PAGE_SIZE = 25

/** The request in the address, such as `#/leads?status=OPEN&changed=2026-11-19..2026-11-20&lead_type=4`, or `changed=2026-11-20&hour=16`. */
export interface LeadsAsked {
  readonly status: LeadStatus | undefined
  /** Days of the creation. The API combines them with nothing else. */
  readonly created: Period | undefined
  /** Days of the last change. */
  readonly changed: Period | undefined
  /** An hour in UTC of the day of the last change, from 0. Undefined: the whole day. */
  readonly hour: number | undefined
  readonly leadType: number | undefined
}

export const isStatus = (text: string | null): text is LeadStatus => text !== null && Object.hasOwn(texts.statuses, text)

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

/** A day, or two with dots between them. */
const parseDays = (text: string | null): Period | undefined => {
  const [from = '', to = from, ...more] = text?.split('..') ?? []
  return more.length === 0 && isDay(from) && isDay(to) && from <= to ? { from, to } : undefined
}

/** A period of several days has no hour. */
const parseHour = (text: string | null, changed: Period | undefined): number | undefined =>
  text !== null && /^(1?\d|2[0-3])$/.test(text) && changed?.from === changed?.to && changed !== undefined ? Number(text) : undefined

export const leadsAsked = (query: URLSearchParams): LeadsAsked => {
  const created = parseDays(query.get('created'))
  if (created !== undefined) return { status: undefined, created, changed: undefined, hour: undefined, leadType: undefined }
  const [status, leadType] = [query.get('status'), query.get('lead_type')]
  const changed = parseDays(query.get('changed'))
  return {
    status: isStatus(status) ? status : undefined,
    created,
    changed,
    hour: parseHour(query.get('hour'), changed),
    leadType: leadType !== null && /^[1-9]\d{0,9}$/.test(leadType) ? Number(leadType) : undefined,
  }
}

const endOf = (day: string): string => `${day}T23:59:59.999Z`

/** The first and the last instant of the change. */
const changeOf = ({ from, to }: Period, hour: number | undefined): readonly [after: string, before: string] => {
  if (hour === undefined) return [from, endOf(to)]
  const start = `${from}T${`${hour}`.padStart(2, '0')}`
  return [`${start}:00:00Z`, `${start}:59:59.999Z`]
}

/** The request for the list. A look-up is not in the address, because it names a person. */
export const listQuery = ({ status, created, changed, hour, leadType }: LeadsAsked, query: URLSearchParams): ListQuery => {
  const cursor = query.get('cursor')
  const [after, before] = changed === undefined ? [] : changeOf(changed, hour)
  return {
    page_size: PAGE_SIZE,
    ...(status && { status: [status] }),
    ...(created !== undefined && { created_time_after: created.from, created_time_before: endOf(created.to) }),
    ...(changed !== undefined && { modified_time_after: after, modified_time_before: before }),
    ...(leadType !== undefined && { lead_type: leadType }),
    ...pageIn(query),
    ...(cursor !== null && { cursor }),
  }
}

const daysText = ({ from, to }: Period): string => (from === to ? from : `${from}..${to}`)

/** The place of the list. */
export const leadsPlace = ({ status, created, changed, hour, leadType }: Partial<LeadsAsked>): string => {
  const place = new URLSearchParams({
    ...(status !== undefined && { status }),
    ...(created !== undefined && { created: daysText(created) }),
    ...(changed !== undefined && { changed: daysText(changed), ...(hour !== undefined && { hour: `${hour}` }) }),
    ...(leadType !== undefined && { lead_type: `${leadType}` }),
  })
  return place.size === 0 ? 'leads' : `leads?${place}`
}
