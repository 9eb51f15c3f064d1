import { expect } from '@jest/globals'
import { handler as give } from '#functions/consents/create.ts'
import { handler as list } from '#functions/consents/list.ts'
import { handler as revoke } from '#functions/consents/revoke.ts'
import { send } from './api-event.ts'
import { NOON } from './samples.ts'
import { KEY, request } from './world.ts'

/** Requests about consent. */

const iso = (at: number) => new Date(at).toISOString()

const post =
  (handler: typeof give, path: string, defaults: () => Record<string, unknown>) =>
  (phone_number: string, body: Record<string, unknown> = {}, key = KEY, headers: Record<string, string> = {}) =>
    request(handler, {
      method: 'POST',
      path,
      headers: { Authorization: `Token ${key}`, ...headers },
      body: { phone_number, ...defaults(), ...body },
    })

/** Records a written consent of half an hour before noon. */
export const giveConsent = post(give, '/api/consents/', () => ({ type: 'written', time: iso(NOON - 30 * 60_000) }))
export const revokeConsent = post(revoke, '/api/consents/revoke/', () => ({}))

export const given = async (...asked: Parameters<typeof giveConsent>) => {
  const answer = await giveConsent(...asked)
  expect(answer).toMatchObject({ status: 201 })
  return answer.body
}

export const revoked = async (...asked: Parameters<typeof revokeConsent>) => {
  const answer = await revokeConsent(...asked)
  expect(answer).toMatchObject({ status: 201 })
  return answer.body
}

export const consentsOf = async (phone_number: string, key = KEY, more: Record<string, string> = {}) =>
  (
    await send(list, {
      method: 'GET',
      path: '/api/consents/',
      headers: { Authorization: `Token ${key}` },
      query: { phone_number, ...more },
    })
  ).json
