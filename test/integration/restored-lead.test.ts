import { beforeAll, describe, expect, it } from '@jest/globals'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { getLead, saveLead } from '#shared/leads/lead-store.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { agentCalls } from '#test/support/agent-calls.ts'
import { captureLog } from '#test/support/captured-log.ts'
import { setClock } from '#test/support/clock.ts'
import { opsWorld } from '#test/support/ops-world.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'
import { OWNER } from '#test/support/world.ts'

const { world, tool } = opsWorld()
const { queued, place, inCall, told, ring } = agentCalls(world)
const log = captureLog()

const NUMBER = '+18005550142'

beforeAll(() => saveLeadType(sampleLeadType({ owner: OWNER, inbound_numbers: [NUMBER] })))

/** A lead as it was before its first call, whose outcome is known by now. */
const restored = async (outcome: string) => {
  setClock(NOON)
  const { lead: id, call, phone } = await inCall()
  const after = await getLead(id)
  await told(call, 'call.completed', { outcome })
  await queued()
  const lead = (await getLead(id))!
  const before = { attempts: 0, round_attempts: 0, status: 'OPEN', last_chat: null, current_call: null } as const
  const due = { next_call_time: NOON, next_call_time_reason: 'FIRST_CALL', due_list: 'CALL' } as const
  await saveLead({ ...lead, ...before, ...due, version: lead.version + 1 })
  expect(after?.attempts).toBe(1)
  return { id, phone, message: { type: 'dial', lead_id: id, attempt: 1, due_at: NOON } }
}

const ops = async (...args: string[]) => {
  const { out } = await tool().ops([...args, '--json', '--again-after', '0'])
  return JSON.parse(out)
}

const places = async (): Promise<string[]> =>
  (await ops('check')).findings.map(({ kind, where }: { kind: string; where: string }) => `${kind} ${where}`)

describe('a lead from an old backup', () => {
  it.each([
    ['no_answer', { status: 'OPEN', due_list: 'CALL', next_call_time_reason: 'NEXT_AVAILABLE_SLOT' }],
    ['not_interested', { status: 'LOST', next_call_time: null }],
  ])('a lead from a backup older than its call is reported, and continues from that call once repaired: %s', async (outcome, after) => {
    const { id, message } = await restored(outcome)
    world().agent.requests.length = 0
    expect(await place([message])).toEqual([])
    expect(log.join('')).toContain(`npm run ops -- repair lead-behind-calls ${id}`)
    expect(world().agent.requests).toEqual([])
    expect(await places()).toContain(`lead-behind-calls ${id}`)
    await ops('repair', '--all')
    expect(await getLead(id)).toMatchObject({ attempts: 1, round_attempts: 1, last_chat: `${id}-1`, ...after })
    expect(await places()).toEqual([])
  })

  it('a lead from a backup older than its call continues with its next attempt once repaired', async () => {
    const { id } = await restored('no_answer')
    await ops('repair', 'lead-behind-calls', `${id}`)
    const { next_call_time } = (await getLead(id))!
    setClock((next_call_time ?? 0) + MINUTE)
    world().agent.requests.length = 0
    expect(await place([{ type: 'dial', lead_id: id, attempt: 2, due_at: next_call_time }])).toEqual([])
    expect(world().agent.requests.map(({ headers }) => headers['idempotency-key'])).toEqual([`${id}-2`])
  })

  it('a lead from a backup older than its calls accepts an inbound call', async () => {
    const { id, phone } = await restored('no_answer')
    expect(await ring(phone, NUMBER)).toMatchObject({ status: 201, body: { call_id: `${id}-2` } })
    expect(await getLead(id)).toMatchObject({ attempts: 2, current_call: `${id}-2` })
  })
})
