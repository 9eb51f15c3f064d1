import { describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { handler as placeCall } from '#functions/workers/place-call.ts'
import { addGroups, callsOnLines, getLines, pauseLines, pauseLinesUpTo, takeLine } from '#shared/calling/line-store.ts'
import { FIRST_CALLS } from '#shared/calling/rules/dial/line-groups.ts'
import { changeLead, getLead } from '#shared/leads/lead-store.ts'
import { updateItem } from '#shared/platform/table/table.ts'
import { transact } from '#shared/platform/table/transactions.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import type { Lines } from '#shared/stops/compliance.ts'
import { passTime, setClock } from '#test/support/clock.ts'
import { eventually } from '#test/support/eventually.ts'
import { created, leadNow, patched, times, writeUnits } from '#test/support/lead-requests.ts'
import { EXISTING, ownUser, pause, pausedWorld, unpause } from '#test/support/pauses.ts'
import { NOON } from '#test/support/samples.ts'
import { consumeAll, OTHER_KEY, OWNER } from '#test/support/world.ts'

const PAUSED = { status: 'Outbound calls are paused until they are unpaused.' }
const UNPAUSED = { status: 'Outbound calls are unpaused. Calls that came due during the pause are being rescheduled.' }

const { queued, called, work, workAll } = pausedWorld()

describe('a pause of all calls', () => {
  it('a pause of all calls holds calls that come due, and they are made when it ends', async () => {
    const lead = await created()
    expect(await pause(OWNER, {})).toMatchObject({ status: 202, body: PAUSED })
    expect(await ownUser()).toMatchObject({ paused: true, paused_existing_leads: false })
    const later = await created()
    const messages = await queued()
    await work(messages)
    expect(called()).toEqual([])
    for (const { id } of [lead, later]) expect(await getLead(id)).toMatchObject({ due_list: 'HELD', held_by: `pause ${OWNER}` })
    // A repeated message writes nothing.
    expect(await writeUnits(() => work(messages))).toBe(0)
    setClock(NOON + 5 * MINUTE)
    expect(await unpause(OWNER)).toMatchObject({ status: 202, body: UNPAUSED })
    expect(await ownUser()).toMatchObject({ paused: false, paused_existing_leads: false })
    const released = await queued()
    expect(released).toEqual([
      { type: 'retry-held', agent: `pause ${OWNER}`, began: expect.any(Number), after: null },
      { type: 'look', owners: [OWNER] },
    ])
    await work(released)
    expect(await leadNow(lead.id)).toMatchObject({
      next_call_time: expect.stringMatching(/^2026-11-20T16:05/),
      next_call_time_reason: 'RESUMED',
    })
    await workAll()
    expect(called()).toHaveLength(2)
  })

  it('the end of a pause at night moves paused calls to the next lawful time', async () => {
    const lead = await created()
    await pause(OWNER)
    await work(await queued())
    // Ten in the evening there.
    setClock(Date.parse('2026-11-21T03:00:00Z'))
    await unpause(OWNER)
    await workAll()
    expect(await leadNow(lead.id)).toMatchObject({ next_call_time_reason: 'RESUMED', next_call_time: '2026-11-21T13:00:00.000000+00:00' })
    expect(called()).toEqual([])
  })

  it('the end of a pause keeps a promised callback, and drops calls of cancelled or stopped leads', async () => {
    const [promised, cancelled, stopped] = [await created(), await created(), await created()]
    await changeLead(promised.id, (lead) => ({ ...lead, promised_time: lead.next_call_time, next_call_time_reason: 'CALLBACK' }))
    await pause(OWNER)
    await work(await queued())
    await patched(cancelled.id, { status: 'CANCELLED' })
    await patched(stopped.id, { call_dnc: true })
    await unpause(OWNER)
    await work((await queued()).filter(({ type }) => type === 'retry-held'))
    expect(await getLead(promised.id)).toMatchObject({ promised_time: Date.parse(promised.next_call_time), due_list: 'CALL' })
    for (const { id } of [cancelled, stopped]) expect(await leadNow(id)).toMatchObject({ next_call_time: null })
    await workAll()
    expect(called()).toHaveLength(1)
  })

  it('a pause changes no lead that waits for a line, and the lead is called when it ends', async () => {
    const leads = await times(3, () => created({}, OTHER_KEY))
    await workAll()
    const shown = await Promise.all(leads.map(({ id }) => getLead(id)))
    const waiting = shown.find((lead) => lead?.due_list === 'CALL')!
    expect(waiting).toMatchObject({ next_call_time_reason: 'CAPACITY' })
    await pause(2, {}, OTHER_KEY)
    setClock(NOON + MINUTE)
    await dispatchDue()
    await workAll()
    expect(await getLead(waiting.id)).toEqual(waiting)
    await updateItem({ pk: 'LINES#2', sk: 'LINES' }, { UpdateExpression: 'REMOVE calls' })
    await unpause(2, undefined, OTHER_KEY)
    await workAll()
    expect(called()).toContain(`${waiting.id}-1`)
    await updateItem({ pk: 'LINES#2', sk: 'LINES' }, { UpdateExpression: 'REMOVE calls' })
  })
})

describe('a pause of the existing leads', () => {
  it('a pause of the existing leads holds them and calls new ones', async () => {
    const before = await created()
    expect(await pause(OWNER, { only_existing_leads: true })).toMatchObject({ status: 202, body: EXISTING })
    expect(await ownUser()).toMatchObject({ paused: false, paused_existing_leads: true })
    const after = await created()
    await workAll()
    expect(await getLead(before.id)).toMatchObject({ due_list: 'HELD', held_by: `pause ${OWNER}` })
    expect(called()).toHaveLength(1)
    expect((await leadNow(after.id)).next_call_time).toBeNull()
    await unpause(OWNER)
    await workAll()
    expect(called()).toHaveLength(2)
  })

  it('a pause of the existing leads costs one write unit and changes no lead', async () => {
    const leads = await times(5, () => created())
    expect(await writeUnits(() => pause(OWNER, { only_existing_leads: 'true' }))).toBe(1)
    for (const lead of leads) expect(await leadNow(lead.id)).toEqual(lead)
  })

  it('a pause of the existing leads covers every lead acknowledged before it, even under concurrent creates', async () => {
    for (let round = 0; round < 5; round++) {
      const [first] = await Promise.all([times(8, () => created()), pause(OWNER, { only_existing_leads: true })])
      const leads = await times(8, () => created())
      await pause(OWNER, { only_existing_leads: true })
      const after = await times(8, () => created())
      const { paused_upto } = await getLines(OWNER)
      for (const { id } of [...first, ...leads]) expect((await getLead(id))!.position).toBeLessThanOrEqual(paused_upto)
      for (const { id } of after) expect((await getLead(id))!.position).toBeGreaterThan(paused_upto)
    }
  })

  it('a repeated pause of the existing leads covers newer leads too, and never fewer', async () => {
    await created()
    await pause(OWNER, { only_existing_leads: true })
    const { paused_upto } = await getLines(OWNER)
    await pause(OWNER, { only_existing_leads: true })
    expect(await getLines(OWNER)).toMatchObject({ paused_upto, paused: false })
    await created()
    await pause(OWNER, { only_existing_leads: true })
    expect((await getLines(OWNER)).paused_upto).toBeGreaterThan(paused_upto)
    await pause(OWNER, { only_existing_leads: false })
    expect(await ownUser()).toMatchObject({ paused: true, paused_existing_leads: true })
  })

  it('a pause of the existing leads gives new leads the lines that paused leads waited for', async () => {
    const waiting = await times(20, () => created({}, OTHER_KEY))
    await pause(2, { only_existing_leads: true }, OTHER_KEY)
    const late = await created({}, OTHER_KEY)
    await queued()
    passTime(1)
    await dispatchDue()
    await eventually(async () => {
      await work(await queued())
      passTime(1000)
      return called().length === 1
    })
    expect(await getLines(2)).toMatchObject({ calls: new Set([`${late.id}-1`]) })
    for (const { id } of waiting) expect(await getLead(id)).toMatchObject({ attempts: 0 })
  })
})

describe('an acknowledged pause', () => {
  it('no further lead takes a line of any group after a pause is acknowledged', async () => {
    // So many calls that dials choose among all groups of lines.
    await times(FIRST_CALLS, () => created())
    await workAll()
    for (let round = 0; round < 10; round++) {
      const leads = await times(3, () => created())
      const dials = (await queued()).map((message) => consumeAll(placeCall, [message]))
      await pause(OWNER, { only_existing_leads: round % 2 === 0 })
      const calls = await callsOnLines(OWNER, await getLines(OWNER))
      await Promise.all(dials)
      const placed = leads.filter(({ id }) => calls.includes(`${id}-1`))
      for (const { id } of leads) {
        const isPlaced = placed.some((one) => one.id === id)
        expect({ id, list: (await getLead(id))?.due_list }).toEqual({ id, list: isPlaced ? null : 'HELD' })
      }
      await unpause(OWNER)
      await workAll()
    }
  })

  it.each([0, 1, 7])('a pause refuses a line of group %i to a dial that read the pauses before it', async (group) => {
    const owner = 770 + group
    const user = { id: owner, lines: 400 }
    await addGroups(user, await getLines(owner), 9)
    const before = await getLines(owner)
    await pauseLinesUpTo(owner, 5)
    const after = await getLines(owner)
    const taken = ({ fence }: Lines) => transact([takeLine(owner, '1-1', { group, most: 40, fence })])
    expect(await taken(before)).toMatchObject({ committed: false })
    expect(await taken(after)).toMatchObject({ committed: true })
  })

  it('a pause refuses further groups of lines to a dial that read the pauses before it', async () => {
    const before = await getLines(780)
    await pauseLines(780)
    expect(await addGroups({ id: 780, lines: 400 }, before, 9)).toBe(false)
    expect(await addGroups({ id: 780, lines: 400 }, await getLines(780), 9)).toBe(true)
  })
})
