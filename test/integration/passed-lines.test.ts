import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { saveAgent } from '#shared/agents/agent-store.ts'
import { countFailure, getBreaker, openBreaker } from '#shared/agents/breaker-store.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { now } from '#shared/platform/clock.ts'
import { leadKey, leadTypeKey, linesKey } from '#shared/platform/keys.ts'
import { deleteItem, updateItem } from '#shared/platform/table/table.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { forgetConfiguration } from '#test/support/cache-clock.ts'
import { created } from '#test/support/lead-requests.ts'
import { sampleLeadType } from '#test/support/samples.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'
import { twoLines } from '#test/support/two-lines.ts'
import { OTHER_KEY } from '#test/support/world.ts'

const calls = callWorld()
const { world, queued, place, placeQueued, keysAsked } = calls
const { madeLead, end } = twoLines(calls)

beforeEach(async () => {
  await updateItem(linesKey(2), { UpdateExpression: 'REMOVE waiting_time, fill_time, sent_until' })
})

/** A lead with its message, and one that waits behind it without a message, as in a list that is longer than the free lines. */
const twoDue = async (fields: Record<string, unknown> = {}) => {
  const { id: first } = await created(fields, OTHER_KEY)
  const [message] = await queued()
  const next = await madeLead()
  await queued()
  return { first, message, next }
}

/** The lead is called with the line of the one before, without a sweep. */
const expectCalled = async (lead: number): Promise<void> => {
  await placeQueued()
  expect(keysAsked()).toEqual([`${lead}-1`])
  await end(lead)
  await placeQueued()
}

const erase = (lead: number) => deleteItem(leadKey(lead))

const spoil = async (lead: number): Promise<void> => {
  await updateItem(leadKey(lead), { UpdateExpression: 'SET attempts = :no', ExpressionAttributeValues: { ':no': 'no' } })
}

describe('the line of a lead that cannot be called any more', () => {
  it.each([
    ['a lead that was erased after it was sent', erase, {}],
    ['the last lead of a window that was erased after it was sent', erase, { fill_lines_of: 2 }],
    ['a lead that became unreadable after it was sent', spoil, {}],
  ])('%s passes its line on', async (_, remove, more) => {
    const { first, message, next } = await twoDue()
    await remove(first)
    expect(await place([{ ...message, ...more }])).toEqual([])
    await expectCalled(next)
  })

  it('a message of an earlier version, which does not name the owner, is dropped when its lead was erased', async () => {
    const { first, message, next } = await twoDue()
    await erase(first)
    const { owner, ...former } = message
    expect(owner).toBe(2)
    expect(await place([former])).toEqual([])
    expect(await queued()).toEqual([])
    await place([message])
    await expectCalled(next)
  })
})

describe('the line of a lead that a refused dial holds', () => {
  let digit = 0
  const other = () => ({ id: 'other', url: world().agent.url, secrets: [world().agentSecret] })

  beforeAll(async () => {
    await saveAgent(other())
    await saveLeadType(sampleLeadType({ id: 6, owner: 2 }))
    await saveLeadType(sampleLeadType({ id: 7, owner: 2, agent: 'other' }))
  })

  /** The run of a message dies right after its dial has held the lead. */
  const dieOnceHeld = async (message: unknown): Promise<void> => {
    let isHeld = false
    const die = (command: unknown) => {
      if (isHeld) throw new Error('The run died.')
      isHeld = JSON.stringify(command).includes('"due_list":"HELD"')
    }
    expect(await beforeEachSend(die, () => place([message]))).toEqual([0])
  }

  it.each([
    ['does not die', async () => {}],
    ['dies once the lead is held', dieOnceHeld],
  ])('a lead abroad, whom its lead type does not call, passes its line on when the run of its message %s', async (_, run) => {
    const { first, message, next } = await twoDue({ phone_number: `+49309018201${digit++}`, timezone: 'Europe/Berlin' })
    await run(message)
    expect(await place([message])).toEqual([])
    expect(await getLead(first)).toMatchObject({ due_list: 'HELD', held_by: 'lead-type 4' })
    await expectCalled(next)
  })

  it('a lead whose lead type is unreadable passes its line on when the run of its message dies once the lead is held', async () => {
    const { first, message, next } = await twoDue({ lead_type: 6 })
    await updateItem(leadTypeKey(2, 6), { UpdateExpression: 'SET active = :no', ExpressionAttributeValues: { ':no': 'no' } })
    forgetConfiguration()
    await dieOnceHeld(message)
    expect(await place([message])).toEqual([])
    expect(await getLead(first)).toMatchObject({ due_list: 'HELD', held_by: 'lead-type 6' })
    await expectCalled(next)
  })

  it('a lead whose agent is down passes its line on to a lead of another agent when the run of its message dies once the lead is held', async () => {
    const { first, message, next } = await twoDue({ lead_type: 7 })
    for (let failure = 0; failure < 5; failure++) await countFailure(other(), 'It answered 503.')
    const pause = { openings: 1, open_until: now() + 10 * MINUTE, reason: 'It failed.', owner: null }
    await openBreaker('other', await getBreaker('other'), pause)
    await updateItem(linesKey(2), { UpdateExpression: 'SET waiting_time = :at', ExpressionAttributeValues: { ':at': now() } })
    await dieOnceHeld(message)
    expect(await place([message])).toEqual([])
    expect(await getLead(first)).toMatchObject({ due_list: 'HELD', held_by: 'other' })
    await expectCalled(next)
  })
})
