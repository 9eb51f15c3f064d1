import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { api } from '#shared/http/api.ts'
import { numberedPage } from '#shared/http/paging.ts'
import { ok } from '#shared/http/reply.ts'
import { type EventOptions, send } from '#test/support/api-event.ts'
import { captureLog } from '#test/support/captured-log.ts'

captureLog()

const listOf = (count: number) => api({ auth: 'none' }, async (request) => ok(await numberedPage(request, { count, page: async () => [] })))

const PATH = { method: 'GET', path: '/api/leads/', domainName: 'a1.execute-api.us-east-1.amazonaws.com', requestPath: '/prod/api/leads/' }
const URL_OF_LIST = 'https://a1.execute-api.us-east-1.amazonaws.com/prod/api/leads/'

const list = (count: number, query: Record<string, string> = {}, options: Partial<EventOptions> = {}) =>
  send(listOf(count), { ...PATH, query, headers: { 'X-Forwarded-Proto': 'https' }, ...options })

const links = async (count: number, query: Record<string, string> = {}, options: Partial<EventOptions> = {}) => {
  const { json } = await list(count, query, options)
  return [json.previous, json.next]
}

describe('a page of a list', () => {
  it('a page of a list links to the pages before and after it', async () => {
    expect(await links(120)).toEqual([null, `${URL_OF_LIST}?page=2`])
    expect(await links(120, { page: '2' })).toEqual([URL_OF_LIST, `${URL_OF_LIST}?page=3`])
    expect(await links(120, { page: '3' })).toEqual([`${URL_OF_LIST}?page=2`, null])
    expect(await links(120, { page: 'last' })).toEqual([`${URL_OF_LIST}?page=2`, null])
    expect(await links(100, { page: '2' })).toEqual([URL_OF_LIST, null])
  })

  it('a page of a list keeps the other parameters in its links, sorted by name', async () => {
    const query = { search: 'é &~*', page: '2', page_size: '10', a: '' }
    expect(await links(30, query)).toEqual([
      `${URL_OF_LIST}?a=&page_size=10&search=%C3%A9+%26~%2A`,
      `${URL_OF_LIST}?a=&page=3&page_size=10&search=%C3%A9+%26~%2A`,
    ])
  })

  it('a list uses the last value of a repeated page parameter, and keeps all values of the others', async () => {
    const queryLists = { page: ['7', '2'], b: ['2', '1'] }
    expect(await links(150, { page: '2', b: '1' }, { queryLists })).toEqual([`${URL_OF_LIST}?b=2&b=1`, `${URL_OF_LIST}?b=2&b=1&page=3`])
  })

  it.each([
    ['10', 10],
    ['100', 100],
    ['101', 100],
    ['9'.repeat(400), 100],
    ['0', 50],
    ['-1', 50],
    ['ten', 50],
    ['', 50],
    ['1.5', 50],
  ])('a page of a list with page_size %j has %d items', async (page_size, size) => {
    expect((await list(size, { page_size })).json.next).toBeNull()
    expect((await list(size + 1, { page_size })).json.next).not.toBeNull()
  })

  it.each(['0', '-1', '4', 'first', '1.0', '1e0', 'null', '9'.repeat(400), 'Last'])('a list of 3 pages has no page %j', async (page) => {
    expect(await list(120, { page })).toMatchObject({ status: 404, json: { detail: 'Invalid page.' } })
  })

  it.each(['', ' 1 ', '+1', '01'])('a list gives the first page for page %j', async (page) => {
    expect(await list(120, { page })).toMatchObject({ status: 200, json: { count: 120, previous: null } })
  })

  it('the first page of a list without items is empty', async () => {
    for (const page of ['1', 'last', '']) {
      expect((await list(0, { page })).json).toEqual({ count: 0, next: null, previous: null, results: [] })
    }
    expect((await list(0, { page: '2' })).status).toBe(404)
  })

  it('each page of a list links to the next one until the list ends', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1000), fc.integer({ min: 1, max: 100 }), async (count, size) => {
        let pages = 0
        let query: Record<string, string> | undefined = { page_size: `${size}` }
        while (query) {
          const { json } = await list(count, query)
          pages++
          query = json.next ? Object.fromEntries(new URL(json.next).searchParams) : undefined
        }
        expect(pages).toBe(Math.max(1, Math.ceil(count / size)))
      }),
      { numRuns: 30 },
    )
  })
})

describe('the links of a page', () => {
  it('the links of a page keep the scheme, host and path that the client used', async () => {
    const local = { domainName: '127.0.0.1:8000', requestPath: '/api/leads', headers: { 'X-Forwarded-Proto': 'http' } }
    expect(await links(60, {}, local)).toEqual([null, 'http://127.0.0.1:8000/api/leads?page=2'])
    expect(await links(60, {}, { headers: { Host: 'localhost' }, domainName: '' })).toEqual([
      null,
      'https://localhost/prod/api/leads/?page=2',
    ])
  })
})
