import type { Neighbour } from '../platform/values/cursor.ts'
import { ServiceError } from '../platform/values/errors.ts'
import { cursorText } from './cursor.ts'
import { pageSizeFor, wholeNumberIn } from './page-size.ts'
import type { Incoming } from './steps/incoming.ts'

/** The requested page (1-based, or the last one) and its size. */
export interface Paging {
  readonly page: number | 'last'
  /** 1 to 100. */
  readonly pageSize: number
}

const invalidPage = (): ServiceError => new ServiceError('not_found', 'Invalid page.')

export const PAGE_PARAMETERS = ['page', 'page_size'] as const

/** The query parameters `page` and `page_size`. @throws ServiceError `not_found` when `page` is invalid */
export const pageOf = ({ query }: Pick<Incoming, 'query'>): Paging => {
  const text = query['page'] || '1'
  const page = text === 'last' ? text : wholeNumberIn(text)
  if (page === undefined || (page !== 'last' && page < 1)) throw invalidPage()
  return { page, pageSize: pageSizeFor(query['page_size'] ?? '') }
}

/**
 * The page's number among `count` items. There is always a first page.
 * @throws ServiceError `not_found` when the page is after the last one
 */
const pageAmong = (count: number, { page, pageSize }: Paging): number => {
  const last = Math.max(1, Math.ceil(count / pageSize))
  if (page === 'last') return last
  if (page > last) throw invalidPage()
  return page
}

/**
 * Refuses a page number after the last counted page.
 * @throws ServiceError `not_found` when the page is after the last one
 */
export const checkPage = (count: number, paging: Paging): void => void pageAmong(count, paging)

/** Encodes as Python does, which differs from `encodeURIComponent` in a few characters. */
const encode = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')

type Linked = Pick<Incoming, 'url' | 'queryLists'>

/** The request's URL without its page, and with `place`, the parameter and value that lead to another page. */
const linkTo = ({ url, queryLists }: Linked, place?: readonly [name: string, value: string]): string => {
  const others = Object.entries(queryLists).filter(([name]) => name !== 'page' && name !== 'cursor')
  const pairs = [...others, ...(place ? [[place[0], [place[1]]] as const] : [])]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, values]) => values.map((value) => `${encode(name)}=${encode(value)}`))
  return pairs.length > 0 ? `${url}?${pairs.join('&')}` : url
}

interface Listed extends Paging {
  readonly request: Linked
  /** Items of all pages together. */
  readonly count: number
  readonly results: readonly unknown[]
}

/** A page in the format of list answers. @throws ServiceError `not_found` when there is no such page */
const envelope = ({ request, count, results, ...paging }: Listed) => {
  const page = pageAmong(count, paging)
  return {
    count,
    next: page * paging.pageSize < count ? linkTo(request, ['page', `${page + 1}`]) : null,
    previous: page > 1 ? linkTo(request, page === 2 ? undefined : ['page', `${page - 1}`]) : null,
    results,
  }
}

type Paged = Linked & Pick<Incoming, 'query'>

interface NumberedList<T> {
  /** Items of all pages together. */
  readonly count: number
  readonly page: (skip: number, take: number) => Promise<readonly T[]>
}

/**
 * The requested page of a list.
 * @param represent default: items are shown as they are
 * @throws ServiceError `not_found` when there is no such page
 */
export const numberedPage = async <T>(
  request: Paged,
  { count, page }: NumberedList<T>,
  represent: (item: T) => unknown = (item) => item,
) => {
  const paging = pageOf(request)
  const items = await page((pageAmong(count, paging) - 1) * paging.pageSize, paging.pageSize)
  return envelope({ request, ...paging, count, results: items.map((item) => represent(item)) })
}

/** The requested page of a list that was read as a whole. @throws ServiceError `not_found` when there is no such page */
export const pageOfAll = <T>(request: Paged, all: readonly T[], represent: (item: T) => unknown) =>
  numberedPage(request, { count: all.length, page: async (skip, take) => all.slice(skip, skip + take) }, represent)

/** The size of the page, in a list whose pages have no numbers. @throws ServiceError `not_found` when a page is named by number */
export const sizeOfUnnumbered = (request: Pick<Incoming, 'query'>): number => {
  const { page, pageSize } = pageOf(request)
  if (page === 1) return pageSize
  throw new ServiceError('not_found', 'Invalid page. With these filters, pages have no numbers: follow the link `next`.')
}

interface Unnumbered {
  readonly request: Linked
  /** Names the list. A cursor holds for one list. */
  readonly list: string
  readonly count: number
  readonly next: Neighbour
  readonly previous: Neighbour
  readonly results: readonly unknown[]
}

/** A page in the format of list answers, in a list whose pages have no numbers. */
export const cursorEnvelope = ({ request, list, count, next, previous, results }: Unnumbered) => {
  const linkOf = (to: Neighbour): string | null => {
    if (to === undefined) return null
    return to === 'first' ? linkTo(request) : linkTo(request, ['cursor', cursorText(list, to)])
  }
  return { count, next: linkOf(next), previous: linkOf(previous), results }
}
