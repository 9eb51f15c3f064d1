import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { handler as report } from '#functions/agents/call-events.ts'
import { handler as create } from '#functions/leads/create.ts'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { saveAgent } from '#shared/agents/agent-store.ts'
import { closeBreaker, countFailure, getBreaker, openBreaker } from '#shared/agents/breaker-store.ts'
import { getLead, leadItem } from '#shared/leads/lead-store.ts'
import { leadKey } from '#shared/platform/keys.ts'
import { nextSequence } from '#shared/platform/sequence.ts'
import { deleteItem, putItem, updateItem } from '#shared/platform/table/table.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { raiseDnc } from '#shared/stops/flag-store.ts'
import { phonePk } from '#shared/stops/phone-store.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { passTime, setClock } from '#test/support/clock.ts'
import { sampleLeadType } from '#test/support/samples.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'
import { agentReport, OTHER_KEY, request } from '#test/support/world.ts'

/** Ten minutes before nine in the evening in New York, before six in Los Angeles. */
const EVENING = Date.parse('2026-11-21T01:50:00Z')
const NINE = EVENING + 10 * 60_000
const EIGHT = NINE + 11 * 3_600_000

const { world, queued, place, placeQueued, keysAsked } = callWorld()
let nextPhone = 1000

beforeAll(async () => {
  await saveLeadType(sampleLeadType({ id: 5, owner: 2, agent: 'other' }))
})
beforeEach(async () => {
  setClock(EVENING)
  // Times of the test before are in the future.
  await updateItem({ pk: 'LINES#2', sk: 'LINES' }, { UpdateExpression: 'REMOVE waiting_time, fill_time' })
  await closeBreaker('simulator', EVENING)
})

/** A lead of the user with two lines, due after those before it. */
const madeLead = async (body: Record<string, unknown>): Promise<number> => {
  passTime(1)
  const made = await request(create, {
    method: 'POST',
    path: '/api/leads/',
    headers: { Authorization: `Token ${OTHER_KEY}` },
    body: { phone_number: `+1212555${nextPhone++}`, us_state: 'NY', ...body },
  })
  return made.body.id
}

/** As `madeLead`, and its call is tried. */
const dueLead = async (body: Record<string, unknown>): Promise<number> => {
  const id = await madeLead(body)
  await place(await queued())
  return id
}

const end = (id: number) => request(report, agentReport(world().agentSecret, `${id}-1`, 'call.completed', { outcome: 'not_interested' }))

const CALIFORNIA = { us_state: 'CA', phone_number: '+13105550001' }

const stopUnseen = async (id: number): Promise<void> => {
  const { phone_number } = (await getLead(id))!
  await raiseDnc(await phonePk('2', phone_number), ['call'], { accepted: nextSequence(), owner: 1, origin: { means: 'api' }, listed: true })
}

/** The sweep, and what happens just before it notes that leads wait. */
const sweepWhile = async (run: () => Promise<unknown>): Promise<void> => {
  let isOver = false
  await beforeEachSend(async (command) => {
    if (isOver || !(command instanceof UpdateCommand) || !command.input.UpdateExpression?.startsWith('SET waiting_time')) return
    isOver = true
    await run()
  }, dispatchDue)
  expect(isOver).toBe(true)
}

describe('due leads whose messages were lost', () => {
  it('the sweep sends a due lead when the calls on all lines end before it notes that the lead waits', async () => {
    const inCall = [await dueLead({}), await dueLead({})]
    const lost = await madeLead({})
    await queued()
    passTime(MINUTE)
    await sweepWhile(async () => {
      for (const id of inCall) await end(id)
    })
    await placeQueued()
    expect(keysAsked()).toContain(`${lost}-1`)
    await end(lost)
  })

  it('a lead that the sweep sends and that is refused at once passes the free line to the lead behind it', async () => {
    const inCall = await dueLead({})
    const refused = await madeLead({})
    const behind = await madeLead({})
    await stopUnseen(refused)
    await queued()
    passTime(MINUTE)
    await sweepWhile(async () => place(await queued()))
    await placeQueued()
    expect(keysAsked()).toContain(`${behind}-1`)
    for (const id of [inCall, behind]) await end(id)
  })
})

describe('waiting leads whose phones were stopped without showing it', () => {
  it('waiting leads with a stopped phone that they do not show pass the free line to the lead behind them', async () => {
    const inCall = [await dueLead({}), await dueLead({})]
    const stopped = [await dueLead({}), await dueLead({}), await dueLead({})]
    const behind = await dueLead({})
    for (const id of stopped) await stopUnseen(id)
    await end(inCall[0]!)
    await placeQueued()
    expect(keysAsked()).toContain(`${behind}-1`)
    await end(inCall[1]!)
    await end(behind)
    await placeQueued()
  })
})

describe('hundreds of waiting leads whose agent is down', () => {
  it('leads behind hundreds of waiting leads whose agent is down get the free lines within seconds', async () => {
    const inCall = [await dueLead({}), await dueLead({})]
    const first = await dueLead({})
    const { metadata, position, ...rest } = (await getLead(first))!
    expect(rest).toMatchObject({ due_list: 'CALL', next_call_time_reason: 'CAPACITY' })
    // As if made one by one, which would take its time.
    const many = Array.from({ length: 520 }, (_, index) => 1_000_000 + index)
    for (const id of many) await putItem(leadItem({ ...rest, metadata, position: position + id, id, phone_number: '+12125559999' }))
    await saveAgent({ id: 'other', url: world().agent.url, secrets: [world().agentSecret] })
    const fine = await dueLead({ lead_type: 5 })
    for (let failure = 0; failure < 5; failure++)
      await countFailure({ id: 'simulator', url: world().agent.url, secrets: [world().agentSecret] }, 'It answered 503.')
    await openBreaker('simulator', await getBreaker('simulator'), { openings: 1, open_until: NINE, reason: 'It failed.', owner: null })
    world().agent.requests.length = 0
    for (const id of inCall) await end(id)
    await placeQueued()
    expect(keysAsked()).toEqual([`${fine}-1`])
    for (const id of [first, ...many]) await deleteItem(leadKey(id))
    await end(fine)
    await placeQueued()
  })
})

describe('a free line', () => {
  it('a free line goes at once to the first lead that may be called now', async () => {
    const inCall = [await dueLead({}), await dueLead({})]
    const waiting: number[] = []
    for (let lead = 0; lead < 9; lead++) waiting.push(await dueLead({}))
    const western = await dueLead(CALIFORNIA)
    for (const id of [...waiting, western]) expect(await getLead(id)).toMatchObject({ next_call_time_reason: 'CAPACITY' })
    setClock(NINE)
    world().agent.requests.length = 0
    await end(inCall[0]!)
    const messages = (await placeQueued()).length
    expect(keysAsked()).toEqual([`${western}-1`])
    for (const id of waiting)
      expect(await getLead(id)).toMatchObject({ due_list: 'CALL', next_call_time_reason: 'OUTSIDE_WINDOW', next_call_time: EIGHT })
    // Each lead that goes names at most three others.
    expect(messages).toBeLessThanOrEqual(3 * (waiting.length + 2))
    for (const id of [inCall[1]!, western]) await end(id)
    await placeQueued()

    // The night over nobody forgets that they wait, and in the morning the lines are theirs.
    setClock(NINE + 2 * 3_600_000)
    await dispatchDue()
    world().agent.requests.length = 0
    setClock(EIGHT + MINUTE)
    await dispatchDue()
    await placeQueued()
    expect(keysAsked()).toHaveLength(2)
    for (let ended = 0; ended < waiting.length; ended++) {
      await end(Number.parseInt(keysAsked()[ended] ?? '', 10))
      await placeQueued()
    }
    expect(keysAsked().toSorted()).toEqual(waiting.map((id) => `${id}-1`).toSorted())
  })

  it('a free line skips leads whose agent is down, without changing them', async () => {
    const inCall = [await dueLead({}), await dueLead({})]
    const down = [await dueLead({}), await dueLead({}), await dueLead({}), await dueLead({})]
    await saveAgent({ id: 'other', url: world().agent.url, secrets: [world().agentSecret] })
    const fine = await dueLead({ lead_type: 5 })
    for (let failure = 0; failure < 5; failure++)
      await countFailure({ id: 'simulator', url: world().agent.url, secrets: [world().agentSecret] }, 'It answered 503.')
    await openBreaker('simulator', await getBreaker('simulator'), {
      openings: 1,
      open_until: EVENING + 30_000,
      reason: 'It failed.',
      owner: null,
    })
    world().agent.requests.length = 0
    await end(inCall[0]!)
    await placeQueued()
    expect(keysAsked()).toEqual([`${fine}-1`])
    // They are looked past, which costs nothing, and stand where they stood when their agent is back.
    for (const id of down) expect(await getLead(id)).toMatchObject({ due_list: 'CALL', version: 2 })
    await dispatchDue()
    await placeQueued()
    for (const id of down) expect(await getLead(id)).toMatchObject({ due_list: 'CALL', version: 2 })
    await closeBreaker('simulator', EVENING)
    for (const id of [inCall[1]!, fine]) await end(id)
    await placeQueued()
    expect(keysAsked()).toHaveLength(3)
    for (const key of keysAsked().slice(1)) await end(Number.parseInt(key, 10))
    await placeQueued()
    for (const key of keysAsked().slice(3)) await end(Number.parseInt(key, 10))
    await placeQueued()
  })
})

describe('the end of an agent’s pause', () => {
  it('the end of an agent’s pause calls a lead behind held leads that may no longer be called', async () => {
    for (let failure = 0; failure < 5; failure++)
      await countFailure({ id: 'simulator', url: world().agent.url, secrets: [world().agentSecret] }, 'It answered 503.')
    await openBreaker('simulator', await getBreaker('simulator'), { openings: 1, open_until: NINE, reason: 'It failed.', owner: null })
    const eastern: number[] = []
    for (let lead = 0; lead < 8; lead++) eastern.push(await dueLead({}))
    const western = await dueLead({ ...CALIFORNIA, phone_number: '+13105550002' })
    expect(await getLead(western)).toMatchObject({ due_list: 'HELD' })
    setClock(NINE)
    await place([{ type: 'probe', agent: 'simulator' }])
    await placeQueued()
    expect(keysAsked()).toEqual([`${western}-1`])
    expect(await getBreaker('simulator')).toMatchObject({ failures: 0 })
  })
})
