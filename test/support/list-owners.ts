import { afterAll, beforeAll, expect } from '@jest/globals'
import { handler as create } from '#functions/leads/create.ts'
import { handler as list } from '#functions/leads/list.ts'
import { handler as update } from '#functions/leads/update.ts'
import { saveApiKey } from '#shared/accounts/api-key-store.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { saveUser } from '#shared/accounts/user-store.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { stopStream } from '#test/simulation/page-cost.ts'
import { send } from './api-event.ts'
import { passTime } from './clock.ts'
import { sampleLeadType } from './samples.ts'
import { startWorld } from './world.ts'

const UNTHROTTLED = { burst_per_minute: 1_000_000, sustained_per_day: 1_000_000 }

let owners = 100

export const nextOwner = (): number => ++owners

/** An owner with an empty list, and a client with the owner's key. */
export const newOwner = async () => {
  const id = nextOwner()
  const key = `key-of-${id}`
  await saveUser({
    ...{ id, name: `User ${id}`, is_staff: false, default_lead_type: 4, dnc_group: `${id}`, lines: 1, webhook_secrets: [] },
    throttle: UNTHROTTLED,
  })
  await saveApiKey(key, { user: id, created_time: 0, revoked_time: null })
  await saveLeadType(sampleLeadType({ owner: id }))
  const headers = { Authorization: `Token ${key}` }
  const get = (query: Record<string, string> = {}) => send(list, { method: 'GET', query, headers })
  const walk = async (query: Record<string, string> = {}) => {
    const pages: { id: number }[][] = []
    const counts = new Set<number>()
    for (let page = 1; ; page++) {
      const { json } = await get({ ...query, page: `${page}` })
      pages.push(json.results)
      counts.add(json.count)
      if (json.next === null) return { ids: pages.flat().map((lead) => lead.id), pages, counts: [...counts] }
    }
  }
  const getAt = (url: string) => get(Object.fromEntries(new URL(url).searchParams))
  /** Follows the links `next` to the last page, and `previous` back to the first one. */
  const follow = async (query: Record<string, string> = {}) => {
    const pages = [(await get(query)).json]
    while (pages.at(-1).next !== null) pages.push((await getAt(pages.at(-1).next)).json)
    const back = [pages.at(-1)]
    while (back[0].previous !== null) back.unshift((await getAt(back[0].previous)).json)
    const idsOf = (all: { results: { id: number }[] }[]): number[] => all.flatMap(({ results }) => results.map((lead) => lead.id))
    return { ids: idsOf(pages), idsBack: idsOf(back), counts: [...new Set(pages.map(({ count }) => count))], pages: pages.length }
  }
  const patch = (lead: number, body: unknown) =>
    send(update, { method: 'PATCH', path: `/api/leads/${lead}/`, params: { id: `${lead}` }, body, headers })
  return { id, get, getAt, walk, follow, patch, post: (body: unknown) => send(create, { body, headers }) }
}

type Owner = Awaited<ReturnType<typeof newOwner>>

let phones = 2_000_000
export const newPhone = (): string => `+1212${phones++}`

export const created = async (owner: Owner, body: Record<string, unknown> = {}): Promise<number> => {
  const { status, json } = await owner.post({ phone_number: newPhone(), ...body })
  expect(status).toBe(201)
  return json.id
}

export const OTHER_TYPE = 5

/** An owner with two lead types and a second to change each lead, so that the order is clear. */
export const filterOwner = async () => {
  const owner = await newOwner()
  await saveLeadType(sampleLeadType({ owner: owner.id, id: OTHER_TYPE, name: 'Other' }))
  const add = async (body: Record<string, unknown> = {}): Promise<number> => {
    passTime(SECOND)
    return created(owner, body)
  }
  const change = async (id: number, body: unknown): Promise<void> => {
    passTime(SECOND)
    expect((await owner.patch(id, body)).status).toBe(200)
  }
  const timesOf = async (id: number) => (await getLead(id))!
  return { ...owner, add, change, timesOf }
}

/** A world for owners with many leads. */
export const listWorld = (): void => {
  let world: Awaited<ReturnType<typeof startWorld>>
  beforeAll(async () => {
    world = await startWorld()
    await stopStream()
  })
  afterAll(() => world.stop())
}
