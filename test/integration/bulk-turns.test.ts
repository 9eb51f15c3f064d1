import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from '@jest/globals'
import { handler as bulkUpdate } from '#functions/leads/bulk-update.ts'
import { handler as replay } from '#functions/webhooks/replay.ts'
import { MOST_BULKS, UNCOUNTED_ITEMS } from '#shared/http/bulk-turn.ts'
import { CREATES_AT_ONCE } from '#shared/leads/bulk/bulk-create.ts'
import { bulkSlotsKey } from '#shared/platform/keys.ts'
import { putItem } from '#shared/platform/table/table.ts'
import { TRIGGERS } from '#shared/platform/values/values.ts'
import { saveSubscription } from '#shared/webhooks/subscription-store.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { postBulk, postOnce } from '#test/support/bulk-creates.ts'
import { eventually } from '#test/support/eventually.ts'
import { newPhone, times, writeUnits } from '#test/support/lead-requests.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'
import { aSubscription } from '#test/support/webhook-fixtures.ts'
import { OTHER_KEY, OWNER, request } from '#test/support/world.ts'

callWorld()

const leads = (count: number) => ({ leads: Array.from({ length: count }, () => ({ phone_number: newPhone() })) })
const many = () => leads(UNCOUNTED_ITEMS + 1)

/**
 * While `run` runs, as many bulk requests of the first user are at work as may be. Each waits in the writes of its first leads, so none of
 * them writes anything meanwhile.
 * @returns their answers
 */
const whileAllAreAtWork = async (run: () => Promise<void>) => {
  const { promise: end, resolve } = Promise.withResolvers<void>()
  const phones = new Set<string>()
  const held = Array.from({ length: MOST_BULKS }, many)
  const heldPhones = held.flatMap((body) => body.leads.map(({ phone_number }) => phone_number))
  return beforeEachSend(
    async (command) => {
      const text = command instanceof TransactWriteCommand ? JSON.stringify(command.input) : ''
      const phone = heldPhones.find((one) => text.includes(one))
      if (phone === undefined) return
      phones.add(phone)
      await end
    },
    async () => {
      const answers = Promise.all(held.map((body) => postBulk(body)))
      await eventually(() => phones.size === MOST_BULKS * CREATES_AT_ONCE)
      try {
        await run()
      } finally {
        resolve()
      }
      return answers
    },
  )
}

describe('bulk requests of one user', () => {
  it('bulk requests of one user are throttled while too many run at the same time', async () => {
    const answers = await whileAllAreAtWork(async () => {
      const refused = await postBulk(many())
      expect(refused).toMatchObject({
        status: 429,
        body: { detail: expect.stringMatching(/^Request was throttled\. Expected available in \d+ seconds\.$/) },
        headers: { 'Retry-After': expect.stringMatching(/^([1-9]|[12]\d|30)$/) },
      })
      const updates = { leads: Array.from({ length: UNCOUNTED_ITEMS + 1 }, (_, id) => ({ id: id + 1, first_name: 'A' })) }
      expect(await request(bulkUpdate, { method: 'PATCH', path: '/api/leads/bulk-update/', body: updates })).toMatchObject({ status: 429 })
    })
    expect(answers.map(({ status }) => status)).toEqual(Array(MOST_BULKS).fill(200))
    expect((await postBulk(many())).status).toBe(200)
  })

  it('a replay of few leads that makes many deliveries is throttled like a bulk request', async () => {
    const trigger = [...TRIGGERS]
    await Promise.all([701, 702].map((id) => saveSubscription(aSubscription({ id, owner: OWNER, trigger }))))
    const body = { lead_ids: [51], triggers: trigger }
    await whileAllAreAtWork(async () => {
      expect(await request(replay, { method: 'POST', path: '/api/agents/webhooks/replay-recent-chat/', body })).toMatchObject({
        status: 429,
      })
    })
  })

  it('bulk requests of one user block neither other users nor small requests of the same user', async () => {
    await whileAllAreAtWork(async () => {
      expect((await postBulk(many(), OTHER_KEY)).status).toBe(200)
      expect((await postBulk(leads(UNCOUNTED_ITEMS))).status).toBe(200)
    })
  })

  it('throttled bulk requests cost almost no writes, and may be repeated with the same Idempotency-Key', async () => {
    const body = many()
    await whileAllAreAtWork(async () => {
      expect(await writeUnits(() => times(20, async () => expect((await postBulk(many())).status).toBe(429)))).toBeLessThanOrEqual(1)
      expect((await postOnce('turn-1', body.leads)).status).toBe(429)
    })
    expect((await postOnce('turn-1', body.leads)).status).toBe(200)
  })

  it('crashed bulk requests count as running only until their slots expire', async () => {
    const at = (seconds: number) =>
      putItem({ ...bulkSlotsKey(OWNER), ...Object.fromEntries([0, 1, 2, 3].map((slot) => [`slot_${slot}`, Date.now() + seconds * 1000])) })
    await at(20)
    expect((await postBulk(many())).status).toBe(429)
    await at(-1)
    expect((await postBulk(many())).status).toBe(200)
  })
})
