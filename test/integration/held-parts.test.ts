import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { saveAgent } from '#shared/agents/agent-store.ts'
import { closeBreaker, countFailure, getBreaker, openBreaker } from '#shared/agents/breaker-store.ts'
import { saveEmergencies } from '#shared/backlog/emergency-store.ts'
import { markChanged, markedParts, markLeft } from '#shared/backlog/marks.ts'
import { getReadableLeads } from '#shared/leads/lead-store.ts'
import { now } from '#shared/platform/clock.ts'
import { breakerKey, dueAt, heldKey, leadKey, MARKED_PARTS, ownerPlacement, userKey } from '#shared/platform/keys.ts'
import { batchDelete, batchPut } from '#shared/platform/table/batches.ts'
import { transact } from '#shared/platform/table/transactions.ts'
import { HOUR, MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import { settingsWorld } from '#test/support/changed-settings.ts'
import { setClock } from '#test/support/clock.ts'
import { fillList, heldLeads, unlistHeld } from '#test/support/held-leads.ts'
import { NOON } from '#test/support/samples.ts'
import { watchSent } from '#test/support/sent-messages.ts'
import { OTHER_KEY, OWNER } from '#test/support/world.ts'

const { world, place, forgetConfiguration } = settingsWorld()
const sent = watchSent()

let agents = 0
const agent = () => ({ id: `agent-${agents}`, url: world().agent.url, secrets: [world().agentSecret] })

beforeEach(async () => {
  agents++
  await saveAgent(agent())
})
afterEach(unlistHeld)

type Sent = Awaited<ReturnType<typeof sent>>

/** Messages about holders, with their delays. */
const sentAbout = async (run: () => Promise<unknown>): Promise<Sent> => (await sent(run)).filter(({ body }) => body.agent !== undefined)

/** Places messages about holders. @returns those that this sends */
const placeEach = (messages: Sent): Promise<Sent> => sentAbout(() => place(messages.map(({ body }) => body)))

const sweep = (): Promise<Sent> => sentAbout(() => dispatchDue())

/** The sweep and its looks at holders. @returns the messages that begin runs through their parts */
const startRuns = async (): Promise<Sent> => placeEach(await sweep())

const countHeld = async (ids: readonly number[]): Promise<number> =>
  [...(await getReadableLeads(ids)).leads.values()].filter(({ due_list }) => due_list === 'HELD').length

const agentIsDown = async (open_until = NOON + MINUTE): Promise<void> => {
  const { id } = agent()
  for (let failure = 0; failure < 5; failure++) await countFailure(agent(), 'It failed.')
  await openBreaker(id, await getBreaker(id), { openings: 1, open_until, reason: 'It failed.', owner: null })
}

const agentIsBack = async (): Promise<void> => {
  await agentIsDown()
  await closeBreaker(agent().id, now())
  setClock(NOON + MINUTE)
}

const emergencyEnds = async (): Promise<void> => {
  await saveEmergencies(['NY'])
  await saveEmergencies([])
  forgetConfiguration()
  setClock(NOON + MINUTE)
}

const registryChanges = async (): Promise<void> => {
  await transact([markChanged('registry national', NOON)])
  setClock(NOON + MINUTE)
}

/** Things that hold leads of all owners: their names, and how each lets its leads go. */
const HOLDERS: readonly [what: string, nameOf: () => string, letGo: () => Promise<void>][] = [
  ['an agent that is back', () => agent().id, agentIsBack],
  ['an emergency that has ended', () => 'emergency NY', emergencyEnds],
  ['a do-not-call list that has changed', () => 'registry national', registryChanges],
]

const PART = `emergency NY#${OWNER}`

/** Marks parts of other owners, which have no leads, during a run. */
const withMarks = async (count: number, run: () => Promise<unknown>): Promise<void> => {
  const keys = Array.from({ length: count }, (_, index) => breakerKey(`registry national#${1000 + index}`))
  await batchPut(keys.map((key) => ({ ...key, due_key: MARKED_PARTS, due_at: dueAt(NOON, 0, 0), turn_time: NOON + HOUR })))
  await run()
  await batchDelete(keys)
}

describe('a holder that all owners share', () => {
  it.each(HOLDERS)('the held leads of one owner do not delay those of another: %s', async (_, nameOf, letGo) => {
    const held_by = nameOf()
    await fillList(1000, heldKey(`${held_by}#${OWNER}`))
    const [last = 0] = await heldLeads(1, { held_by })
    const [one = 0] = await heldLeads(1, { held_by }, { key: OTHER_KEY })
    await letGo()
    const next = await placeEach(await startRuns())
    expect(await countHeld([one])).toBe(0)
    expect(await countHeld([last])).toBe(1)
    await placeEach(await placeEach(next))
    expect(await countHeld([last])).toBe(0)
  })

  it.each(HOLDERS)('the leads that an earlier version held in one list are released with the others: %s', async (_, nameOf, letGo) => {
    const held_by = nameOf()
    const options = [{}, { key: OTHER_KEY }, { due_key: heldKey(held_by) }, { key: OTHER_KEY, due_key: heldKey(held_by) }]
    const leads = []
    for (const option of options) leads.push(...(await heldLeads(2, { held_by }, option)))
    await letGo()
    await placeEach(await startRuns())
    expect(await countHeld(leads)).toBe(0)
  })

  it('runs that begin together are spread over some seconds, those with few leads first', async () => {
    const owners = [11, 12, 13, 14, 15]
    await batchPut(owners.map((owner) => ({ ...userKey(owner), ...ownerPlacement(owner) })))
    const keys = owners.flatMap((owner) => Array.from({ length: 501 }, (_, index) => ({ owner, ...leadKey(owner * 1_000_000 + index) })))
    await batchPut(keys.map(({ owner, ...key }) => ({ ...key, due_key: `HELD#emergency NY#${owner}`, due_at: dueAt(NOON, 1, owner) })))
    await heldLeads(1, { held_by: 'emergency NY' })
    await emergencyEnds()
    const begun = await startRuns()
    await batchDelete([
      ...keys.map(({ pk, sk }) => ({ pk, sk })),
      ...owners.map(userKey),
      ...begun.map(({ body }) => breakerKey(body.agent)),
    ])
    expect(begun.map(({ delaySeconds }) => delaySeconds)).toEqual([0, 0, 0, 0, 0, 1])
    expect(begun[0]!.body).toMatchObject({ agent: PART })
  })

  it('an agent keeps its mark for a minute after it is back, in case a lead is held late, and its parts keep theirs', async () => {
    const { id } = agent()
    const isLookedAt = async () => (await sweep()).some(({ body }) => body.type === 'probe' && body.agent === id)
    await agentIsBack()
    await startRuns()
    expect(await isLookedAt()).toBe(true)
    const late = await heldLeads(1, { held_by: id })
    setClock(NOON + 3 * MINUTE)
    await startRuns()
    expect(await isLookedAt()).toBe(false)
    expect(await markedParts(10)).toEqual([`${id}#${OWNER}`])
    // The message of the run went astray.
    setClock(NOON + 4 * MINUTE)
    await placeEach(await sweep())
    expect(await countHeld(late)).toBe(0)
    expect(await markedParts(10)).toEqual([])
  })

  it('the parts of many owners are started some at a time, and every one of them', async () => {
    const owners = Array.from({ length: 250 }, (_, index) => 1000 + index)
    await batchPut(owners.map((owner) => ({ ...userKey(owner), ...ownerPlacement(owner) })))
    const keys = owners.map((owner) => ({ owner, ...leadKey(7_000_000 + owner) }))
    await batchPut(keys.map(({ owner, ...key }) => ({ ...key, due_key: `HELD#emergency NY#${owner}`, due_at: dueAt(NOON, 1, owner) })))
    await emergencyEnds()
    const begun: Sent = []
    let messages = await startRuns()
    const sizes = []
    while (messages.length > 0) {
      const further = messages.filter(({ body }) => body.agent === 'emergency NY')
      begun.push(...messages.filter(({ body }) => body.agent.startsWith('emergency NY#')))
      sizes.push(messages.length - further.length)
      setClock(now() + SECOND)
      messages = await placeEach(further)
    }
    await batchDelete([
      ...keys.map(({ pk, sk }) => ({ pk, sk })),
      ...owners.map(userKey),
      ...begun.map(({ body }) => breakerKey(body.agent)),
    ])
    expect(new Set(begun.map(({ body }) => body.agent))).toEqual(new Set(owners.map((owner) => `emergency NY#${owner}`)))
    expect(Math.max(...sizes)).toBeLessThanOrEqual(240)
  })

  it('a turn that was taken before the clock was set back does not keep a run from its part', async () => {
    const ids = await heldLeads(1, { held_by: 'emergency NY' })
    await emergencyEnds()
    const runs = await startRuns()
    setClock(NOON - HOUR)
    await placeEach(runs.map((run) => ({ ...run, body: { ...run.body, turn: undefined } })))
    expect(await countHeld(ids)).toBe(0)
  })
})

describe('a run through the leads of one owner', () => {
  it('the sweep begins the run again when its message is lost, and the mark goes at the end', async () => {
    await fillList(500, heldKey(PART))
    const ids = await heldLeads(1, { held_by: 'emergency NY' })
    await emergencyEnds()
    const [first] = await startRuns()
    expect(first!.body).toMatchObject({ type: 'retry-held', agent: PART, after: null })
    expect(await placeEach([first!])).toHaveLength(1)
    // The message for the last lead goes astray.
    expect(await countHeld(ids)).toBe(1)
    expect(await markedParts(10)).toEqual([PART])
    setClock(NOON + 2 * MINUTE)
    const again = (await sweep()).filter(({ body }) => body.agent === PART)
    await placeEach(await placeEach(again))
    expect(await countHeld(ids)).toBe(0)
    expect(await markedParts(10)).toEqual([])
  })

  it('a lead that is held during the run is found by the run of the next look', async () => {
    await fillList(501, heldKey(PART))
    await emergencyEnds()
    let next = await startRuns()
    await withMarks(239, async () => {
      next = await placeEach(next)
    })
    // A function that still used the emergency has held a lead ahead of those that are left.
    const late = await heldLeads(1, { held_by: 'emergency NY', next_call_time: NOON - HOUR })
    setClock(NOON + 2 * MINUTE)
    // The run is not over, so the look only marks the part again.
    expect(await startRuns()).toEqual([])
    expect(await placeEach(next)).toEqual([])
    expect(await countHeld(late)).toBe(1)
    expect(await markedParts(10)).toEqual([PART])
    setClock(NOON + 3 * MINUTE)
    await placeEach((await sweep()).filter(({ body }) => body.agent === PART))
    expect(await countHeld(late)).toBe(0)
  })

  it('runs through more parts pause for longer, and the sweep begins no other run during a pause', async () => {
    await fillList(1000, heldKey(PART))
    const ids = await heldLeads(1, { held_by: 'emergency NY' })
    await emergencyEnds()
    let next = await startRuns()
    await withMarks(7, async () => {
      next = await placeEach(next)
      expect(next.map(({ delaySeconds }) => delaySeconds)).toEqual([2])
    })
    setClock(NOON + MINUTE + 2 * SECOND)
    await withMarks(239, async () => {
      next = await placeEach(next)
      expect(next.map(({ delaySeconds }) => delaySeconds)).toEqual([60])
    })
    setClock(NOON + 2 * MINUTE)
    const looks = (await sweep()).filter(({ body }) => body.agent === PART)
    expect(looks).toHaveLength(1)
    await placeEach(looks)
    expect(await countHeld(ids)).toBe(1)
    setClock(NOON + 2 * MINUTE + 2 * SECOND)
    expect(await placeEach(next)).toEqual([])
    expect(await countHeld(ids)).toBe(0)
  })

  it('a run plans all leads whose lead type has left a down agent, also after the note of the agent is removed', async () => {
    const { id } = agent()
    await fillList(500, heldKey(`${id}#${OWNER}`))
    const ids = await heldLeads(1, { held_by: id })
    await agentIsDown(NOON + HOUR)
    await transact([markLeft(id, NOON)])
    setClock(NOON + 2 * MINUTE)
    const next = await placeEach(await startRuns())
    expect(next).toHaveLength(1)
    setClock(NOON + 2 * MINUTE + SECOND)
    await placeEach(next)
    expect(await countHeld(ids)).toBe(0)
  })

  it('a run ends when its agent is down again, and another one begins when the agent is back', async () => {
    const { id } = agent()
    await fillList(500, heldKey(`${id}#${OWNER}`))
    const ids = await heldLeads(1, { held_by: id })
    await agentIsBack()
    const next = await placeEach(await startRuns())
    await agentIsDown(NOON + HOUR)
    setClock(NOON + MINUTE + SECOND)
    expect(await placeEach(next)).toEqual([])
    expect(await countHeld(ids)).toBe(1)
    expect(await markedParts(10)).toEqual([])
    await closeBreaker(id, now())
    setClock(NOON + 3 * MINUTE)
    await placeEach(await placeEach(await startRuns()))
    expect(await countHeld(ids)).toBe(0)
  })
})
