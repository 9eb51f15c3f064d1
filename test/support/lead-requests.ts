import { expect } from '@jest/globals'
import { handler as enter } from '#functions/dnc/create.ts'
import { handler as create } from '#functions/leads/create.ts'
import { handler as retrieve } from '#functions/leads/retrieve.ts'
import { handler as update } from '#functions/leads/update.ts'
import { getPhone, phonePk } from '#shared/stops/phone-store.ts'
import { unitsOf } from './units.ts'
import { KEY, request } from './world.ts'

/** Requests about single leads. */

let next = 1000

export const newPhone = () => `+1212555${next++}`

/** Creates a lead that may be called now. */
export const created = async (body: Record<string, unknown> = {}, key = KEY) => {
  const answer = await request(create, {
    method: 'POST',
    path: '/api/leads/',
    headers: { Authorization: `Token ${key}` },
    body: { phone_number: newPhone(), timezone: 'America/New_York', ...body },
  })
  expect(answer).toMatchObject({ status: 201 })
  return answer.body
}

const as = (key: string, id: number | string) => ({
  path: `/api/leads/${id}/`,
  parameters: { id: `${id}` },
  headers: { Authorization: `Token ${key}` },
})

export const patch = (id: number | string, body: unknown, key = KEY) => request(update, { method: 'PATCH', ...as(key, id), body })

export const patched = async (id: number, body: unknown) => {
  const answer = await patch(id, body)
  expect(answer).toMatchObject({ status: 200 })
  return answer.body
}

export const retrieveAs = (key: string, id: number) => request(retrieve, { method: 'GET', ...as(key, id) })

export const leadNow = async (id: number, key = KEY) => (await retrieveAs(key, id)).body

/** Adds an entry to the do-not-contact list. */
export const listed = (body: unknown, key = KEY) =>
  request(enter, { method: 'POST', path: '/api/dnc/', headers: { Authorization: `Token ${key}` }, body })

/** The phone item in the first user's group. */
export const phoneOf = async (phoneNumber: string) => getPhone(await phonePk('1', phoneNumber))

export const writeUnits = async (run: () => Promise<unknown>): Promise<number> => (await unitsOf(run)).write

export const times = <T>(count: number, run: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)))
