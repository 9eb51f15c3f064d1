import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { saveAgent } from '#shared/agents/agent-store.ts'
import { closeBreaker, countFailure, getBreaker, openBreaker } from '#shared/agents/breaker-store.ts'
import { getLead, leadItem } from '#shared/leads/lead-store.ts'
import { now } from '#shared/platform/clock.ts'
import { linesKey } from '#shared/platform/keys.ts'
import type { DialMessage } from '#shared/platform/queues/messages.ts'
import { putItem, updateItem } from '#shared/platform/table/table.ts'
import { MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { passTime } from '#test/support/clock.ts'
import { created } from '#test/support/lead-requests.ts'
import { whileQueueIsMissing } from '#test/support/missing-queue.ts'
import { pause, unpause } from '#test/support/pauses.ts'
import { sampleLeadType } from '#test/support/samples.ts'
import { beforeEachSend, withMoreItems } from '#test/support/table-sends.ts'
import { twoLines } from '#test/support/two-lines.ts'
import { OTHER_KEY } from '#test/support/world.ts'

const calls = callWorld()
const { world, queued, place, placeQueued, keysAsked } = calls
const { madeLead, dueLead, end } = twoLines(calls)

const FIRST_COPY = 4_000_000

const keyOf = (lead: number) => `${lead}-1`
const simulator = () => ({ id: 'simulator', url: world().agent.url, secrets: [world().agentSecret] })

const failAgent = async (): Promise<void> => {
  for (let failure = 0; failure < 5; failure++) await countFailure(simulator(), 'It answered 503.')
  const pause = { openings: 1, open_until: now() + 10 * MINUTE, reason: 'It failed.', owner: null }
  await openBreaker('simulator', await getBreaker('simulator'), pause)
}

/** A lead that another agent calls, due after those before it. */
const ofOtherAgent = async (): Promise<number> => {
  passTime(1)
  return (await created({ lead_type: 5 }, OTHER_KEY)).id
}

/** Copies of a waiting lead, as if made one by one. */
const copiesOf = async (lead: number, count: number, first: number): Promise<void> => {
  const original = await getLead(lead)
  if (!original) throw new Error('There is no such lead.')
  for (let id = first; id < first + count; id++)
    await putItem(leadItem({ ...original, id, position: original.position, phone_number: `+1212556${id % 10_000}` }))
}

/** Sends the write that takes a turn twice, as after a lost answer. */
const repeatTurn = async (command: unknown, send: () => Promise<unknown>) =>
  command instanceof UpdateCommand && command.input.UpdateExpression === 'SET blocked_time = :at' && send()

beforeAll(async () => {
  await saveLeadType(sampleLeadType({ id: 5, owner: 2, agent: 'other' }))
  await saveAgent({ ...simulator(), id: 'other' })
})
beforeEach(async () => {
  await closeBreaker('simulator', now())
  await updateItem(linesKey(2), { UpdateExpression: 'REMOVE waiting_time, fill_time, sent_until, blocked_time' })
})

describe('lines that stay free while more leads are due', () => {
  it('hundreds of leads whose agent is down do not keep the lines from the few leads among and behind them', async () => {
    const among = await ofOtherAgent()
    const down = await madeLead()
    await queued()
    await copiesOf(down, 520, 1_000_000)
    const behind = await ofOtherAgent()
    await queued()
    await failAgent()
    passTime(MINUTE)
    await dispatchDue()
    await placeQueued()
    expect(keysAsked().toSorted()).toEqual([among, behind].map(keyOf).toSorted())
    for (const lead of [among, behind]) await end(lead)
    await placeQueued()
  })

  it('leads whose agent is down are sent once while their messages wait, and again when these are refused or lost', async () => {
    const down = await madeLead()
    await queued()
    await copiesOf(down, 520, FIRST_COPY)
    const behind = await ofOtherAgent()
    await queued()
    await failAgent()
    passTime(MINUTE)
    await expect(whileQueueIsMissing('CALL_QUEUE_URL', () => dispatchDue())).rejects.toThrow('Part of the sweep failed.')
    await beforeEachSend(repeatTurn, () => dispatchDue())
    const copies = (messages: readonly DialMessage[]) => messages.filter(({ lead_id }) => lead_id >= FIRST_COPY)
    expect(copies(await queued()).length).toBeGreaterThan(400)
    passTime(25 * SECOND)
    await dispatchDue()
    expect(copies(await queued())).toEqual([])
    passTime(6 * SECOND)
    await dispatchDue()
    await placeQueued()
    expect(keysAsked()).toEqual([keyOf(behind)])
    await end(behind)
    await placeQueued()
  })

  it('hundreds of leads that a pause of the existing leads holds back do not keep a free line from a new lead', async () => {
    const inCall = [await dueLead(), await dueLead()]
    const paused = await dueLead()
    await copiesOf(paused, 150, 2_000_000)
    await pause(2, { only_existing_leads: true }, OTHER_KEY)
    const fresh = await dueLead()
    world().agent.requests.length = 0
    await end(inCall[0] ?? 0)
    await placeQueued()
    expect(keysAsked()).toEqual([keyOf(fresh)])
    for (const lead of [inCall[1] ?? 0, fresh]) await end(lead)
    await unpause(2, undefined, OTHER_KEY)
    await queued()
    for (let id = 2_000_000; id < 2_000_150; id++)
      await updateItem({ pk: `LEAD#${id}`, sk: 'LEAD' }, { UpdateExpression: 'REMOVE due_key, due_at' })
  })

  it('a free line finds a lead although the index still shows many leads that were called', async () => {
    const inCall = [await dueLead(), await dueLead()]
    const waiting = await dueLead()
    world().agent.requests.length = 0
    const { due_key, due_at } = leadItem((await getLead(waiting))!)
    // An index that is late has leads that are not due any more. These do not even exist.
    const late = Array.from({ length: 14 }, (_, place) => ({ pk: `LEAD#${3_000_000 + place}`, sk: 'LEAD', due_key, due_at }))
    const isOfIndex = (command: unknown) => command instanceof QueryCommand && command.input.ExpressionAttributeValues?.[':key'] === due_key
    await withMoreItems(isOfIndex, late, async () => {
      await end(inCall[0] ?? 0)
      await placeQueued()
    })
    expect(keysAsked()).toEqual([keyOf(waiting)])
    for (const lead of [inCall[1] ?? 0, waiting]) await end(lead)
    await placeQueued()
  })

  it('a lead whose agent goes down before its dial passes its line to a lead of another agent', async () => {
    const inCall = [await dueLead(), await dueLead()]
    await dueLead()
    const other = await ofOtherAgent()
    await place(await queued())
    world().agent.requests.length = 0
    await end(inCall[0] ?? 0)
    const messages = await queued()
    await failAgent()
    await place(messages)
    await placeQueued()
    expect(keysAsked()).toEqual([keyOf(other)])
    await closeBreaker('simulator', now())
    for (const lead of [inCall[1] ?? 0, other]) await end(lead)
    await placeQueued()
  })
})
