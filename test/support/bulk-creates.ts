import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { expect } from '@jest/globals'
import { handler as bulkCreate } from '#functions/leads/bulk-create.ts'
import { beforeEachSend } from './table-sends.ts'
import { KEY, request } from './world.ts'

const asked = (headers: Record<string, string>, body: unknown) =>
  request(bulkCreate, { method: 'POST', path: '/api/leads/bulk-create/', headers, body })

export const postBulk = (body: unknown, key = KEY) => asked({ Authorization: `Token ${key}` }, body)

/** Posts leads with an Idempotency-Key. */
export const postOnce = (key: string, leads: readonly unknown[]) => asked({ 'Idempotency-Key': key }, { leads })

/** Creates leads in one request. @returns the results, in order */
export const bulkCreated = async (leads: readonly unknown[], key = KEY) => {
  const { status, body } = await postBulk({ leads }, key)
  expect(status).toBe(200)
  expect(Object.keys(body)).toEqual(['results'])
  return body.results
}

/** While `run` runs, every transaction that contains the phone fails. */
export const withoutTransactionsOf = <T>(phone: string, run: () => Promise<T>): Promise<T> =>
  beforeEachSend((command) => {
    if (command instanceof TransactWriteCommand && JSON.stringify(command.input).includes(phone)) throw new Error('Throttled.')
  }, run)
