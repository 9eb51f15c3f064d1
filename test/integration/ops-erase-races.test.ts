import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from '@jest/globals'
import { handler as bulkCreate } from '#functions/leads/bulk-create.ts'
import { handler as create } from '#functions/leads/create.ts'
import { REAL_WAITING } from '#lib/ops/waiting.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { getPerson } from '#shared/leads/person-store.ts'
import { leadKey } from '#shared/platform/keys.ts'
import { scanTable } from '#shared/platform/table/scan.ts'
import { deleteItem } from '#shared/platform/table/table.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { agentCalls } from '#test/support/agent-calls.ts'
import { patched } from '#test/support/lead-requests.ts'
import { opsWorld } from '#test/support/ops-world.ts'
import { beforeEachSend, withAnswers } from '#test/support/table-sends.ts'
import { KEY, OWNER, request } from '#test/support/world.ts'

const { world, tool } = opsWorld({ withBucket: true })
const { queued, inCall } = agentCalls(world)

const make = async (phone_number: string, fields: Record<string, unknown> = {}): Promise<number> => {
  const body = { phone_number, timezone: 'Pacific/Honolulu', ...fields }
  const { status, body: lead } = await request(create, { method: 'POST', path: '/api/leads/', body })
  expect(status).toBe(201)
  return lead.id
}

/** Runs `meanwhile` once, just before the first write that removes an item whose key begins like this. */
const justBefore = async <T>(pk: string, meanwhile: () => Promise<unknown>, run: () => Promise<T>): Promise<T> => {
  let isDue = true
  const watch = async (command: unknown): Promise<void> => {
    const text = JSON.stringify((command as { readonly input: unknown }).input)
    const removes = command instanceof DeleteCommand || text.includes('"Delete":')
    if (!isDue || !removes || !text.includes(`"pk":"${pk}`)) return
    isDue = false
    await meanwhile()
  }
  const done = await beforeEachSend(watch, run)
  expect(isDue).toBe(false)
  return done
}

const erase = (phone: string) => tool().ops(['erase', phone, '--yes'])
const findings = async () => JSON.parse((await tool().ops(['check', '--json', '--again-after', '0'])).out).findings

describe('an erasure in progress', () => {
  it('erase spares a lead that gets another number meanwhile, and keeps it listed', async () => {
    const lead = await make('+12125550001')
    await make('+12125550009')
    const { code } = await justBefore(
      'LEAD#',
      () => patched(lead, { phone_number: '+12125550002' }),
      () => erase('+12125550001'),
    )
    expect(code).toBe(0)
    expect((await getLead(lead))?.phone_number).toBe('+12125550002')
    expect(await findings()).toEqual([])
  })

  it('erase fails and keeps the person when a new lead of them is called meanwhile', async () => {
    const phone = '+12125550077'
    const lost = await make(phone, { email: 'p@example.com' })
    await deleteItem(leadKey(lost))
    let called = 0
    const again = async (): Promise<void> => {
      await queued()
      called = (await inCall({ phone_number: phone, timezone: 'America/New_York' })).lead
    }
    const { code, err } = await justBefore(`PERSON#${OWNER}#${phone}`, again, () => erase(phone))
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('on the phone') })
    expect((await getPerson(OWNER, phone)).leads.map(({ id }) => id)).toContain(called)
  })
  it('erase also finds the answer of a bulk request that is stored 29 seconds later, when the gateway waits no longer', async () => {
    const phone = '+12125550005'
    const [arrives, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const hold = async (command: unknown, send: () => Promise<unknown>) => {
      const isAnswer = command instanceof PutCommand && `${command.input.Item?.['pk']}`.startsWith('IDEMPOTENCY#PHONE#')
      if (isAnswer) {
        arrives.resolve()
        await isOver.promise
      }
      return send()
    }
    const code = await withAnswers(hold, async () => {
      const answered = request(bulkCreate, {
        ...{ method: 'POST', path: '/api/leads/bulk-create/', body: { leads: [{ phone_number: phone, timezone: 'Pacific/Honolulu' }] } },
        headers: { Authorization: `Token ${KEY}`, 'Idempotency-Key': 'slow' },
      })
      await arrives.promise
      let left = 29 * SECOND
      const pause = async (milliseconds: number): Promise<void> => {
        left -= milliseconds
        if (left > 0) return
        isOver.resolve()
        await answered
      }
      const erased = await tool().ops(['erase', phone, '--yes'], { waiting: { ...REAL_WAITING, pause } })
      isOver.resolve()
      expect((await answered).status).toBe(200)
      return erased.code
    })
    const texts: string[] = []
    for await (const { items } of scanTable({ segments: 1 })) texts.push(...items.map((item) => JSON.stringify(item)))
    expect({ code, left: texts.filter((text) => text.includes('5550005')) }).toEqual({ code: 0, left: [] })
  })
})
