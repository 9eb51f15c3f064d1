import { DeleteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from '@jest/globals'
import { handler as create } from '#functions/leads/create.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { getPerson } from '#shared/leads/person-store.ts'
import { leadKey } from '#shared/platform/keys.ts'
import { deleteItem } from '#shared/platform/table/table.ts'
import { agentCalls } from '#test/support/agent-calls.ts'
import { patched } from '#test/support/lead-requests.ts'
import { opsWorld } from '#test/support/ops-world.ts'
import { OWNER, request } from '#test/support/world.ts'

const { world, tool } = opsWorld({ withBucket: true })
const { queued, inCall } = agentCalls(world)

const make = async (phone_number: string, fields: Record<string, unknown> = {}): Promise<number> => {
  const body = { phone_number, timezone: 'Pacific/Honolulu', ...fields }
  const { status, body: lead } = await request(create, { method: 'POST', path: '/api/leads/', body })
  expect(status).toBe(201)
  return lead.id
}

type Send = (this: unknown, ...args: unknown[]) => Promise<unknown>

/** Runs `meanwhile` once, just before the first write that removes an item whose key begins like this. */
const justBefore = async <T>(pk: string, meanwhile: () => Promise<unknown>, run: () => Promise<T>): Promise<T> => {
  const { prototype } = DynamoDBDocumentClient
  const send = prototype.send as Send
  let isDue = true
  const watched: Send = async function (...args) {
    const [command] = args as [{ input: unknown }]
    const text = JSON.stringify(command.input)
    const removes = command instanceof DeleteCommand || text.includes('"Delete":')
    if (isDue && removes && text.includes(`"pk":"${pk}`)) {
      isDue = false
      await meanwhile()
    }
    return send.apply(this, args)
  }
  Object.defineProperty(prototype, 'send', { configurable: true, value: watched })
  try {
    return await run()
  } finally {
    Object.defineProperty(prototype, 'send', { configurable: true, value: send })
    expect(isDue).toBe(false)
  }
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
})
