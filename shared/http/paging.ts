import { ServiceError } from '../platform/values/errors.ts'
import type { Incoming } from './steps/incoming.ts'

export const DEFAULT_SIZE = 50
export const MAX_SIZE = 100

/** What a list is asked for: a page (1-based, or the last one) of so many items. */
export interface Paging {
  readonly page: number | 'last'
  /** 1 to 100. */
  readonly pageSize: number
}

const invalidPage = (): ServiceError => new ServiceError('not_found', 'Invalid page.')

const INTEGER = /^\s*[+-]?\d+(_\d+)*\s*$/

/** @returns undefined when the text is no whole number. */
const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && INTEGER.test(text) ? Number(text.replaceAll('_', '')) : undefined

const sizeOf = (text: string | undefined): number => {
  const size = wholeNumber(text)
  return size !== undefined && size > 0 ? Math.min(size, MAX_SIZE) : DEFAULT_SIZE
}

/** The query parameters `page` and `page_size`. @throws ServiceError `not_found` when `page` can be none. */
export const pageOf = ({ query }: Pick<Incoming, 'query'>): Paging => {
  const text = query['page'] || '1'
  const page = text === 'last' ? text : wholeNumber(text)
  if (page === undefined || (page !== 'last' && page < 1)) throw invalidPage()
  return { page, pageSize: sizeOf(query['page_size']) }
}

/**
 * The page's number among `count` items; there always is a first one.
 * @throws ServiceError `not_found` when the last one lies before it.
 */
export const pageAmong = (count: number, { page, pageSize }: Paging): number => {
  const last = Math.max(1, Math.ceil(count / pageSize))
  if (page === 'last') return last
  if (page > last) throw invalidPage()
  return page
}

/** As Python writes forms, which differs from `encodeURIComponent` in a few characters. */
const encode = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')

type Linked = Pick<Incoming, 'url' | 'queryLists'>

const linkTo = ({ url, queryLists }: Linked, page: number): string => {
  const others = Object.entries(queryLists).filter(([name]) => name !== 'page')
  const all = page === 1 ? others : [...others, ['page', [`${page}`]] as const]
  const pairs = all
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, values]) => values.map((value) => `${encode(name)}=${encode(value)}`))
  return pairs.length > 0 ? `${url}?${pairs.join('&')}` : url
}

interface Listed extends Paging {
  readonly request: Linked
  /** Of all pages together. */
  readonly count: number
  readonly results: readonly unknown[]
}

/** A page as lists are answered. @throws ServiceError `not_found` when there is no such page. */
export const envelope = ({ request, count, results, ...paging }: Listed) => {
  const page = pageAmong(count, paging)
  return {
    count,
    next: page * paging.pageSize < count ? linkTo(request, page + 1) : null,
    previous: page > 1 ? linkTo(request, page - 1) : null,
    results,
  }
}
