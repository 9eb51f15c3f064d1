import { SendMessageBatchCommand } from '@aws-sdk/client-sqs'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { handler as update } from '#functions/leads/update.ts'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { closeBreaker, countFailure, getBreaker, openBreaker } from '#shared/agents/breaker-store.ts'
import { unlistLead } from '#shared/leads/lead-store.ts'
import { leadKey, linesKey } from '#shared/platform/keys.ts'
import { deleteItem, updateItem } from '#shared/platform/table/table.ts'
import { MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { passTime, setClock } from '#test/support/clock.ts'
import { created } from '#test/support/lead-requests.ts'
import { type NotingQueue, notingQueue, takeNotedCalls } from '#test/support/noted-calls.ts'
import { NOON } from '#test/support/samples.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'
import { twoLines } from '#test/support/two-lines.ts'
import { OTHER_KEY, request } from '#test/support/world.ts'

const DUE = NOON + 10 * MINUTE

const calls = callWorld()
const { world, place, keysAsked } = calls
const { end } = twoLines(calls)
let sqs: NotingQueue

beforeEach(async () => {
  sqs = notingQueue()
  await updateItem(linesKey(2), { UpdateExpression: 'REMOVE waiting_time, fill_time, sent_until' })
})
afterEach(async () => {
  for (const call of keysAsked()) await endCall(call)
  sqs.restore()
})

const sent = () => takeNotedCalls(sqs)

/** Delivers all messages, and those that they cause. */
const placeAll = async () => {
  for (let messages = sent(); messages.length > 0; messages = sent()) {
    await place(messages)
    passTime(SECOND)
  }
}

const patchAs = (id: number, body: unknown) => {
  const headers = { Authorization: `Token ${OTHER_KEY}` }
  return request(update, { method: 'PATCH', path: `/api/leads/${id}/`, parameters: { id: `${id}` }, headers, body })
}

const endCall = (call: string) => end(Number.parseInt(call, 10))

/** The only agent of the owner is down. */
const failAgent = async (until: number): Promise<void> => {
  const agent = { id: 'simulator', url: world().agent.url, secrets: [world().agentSecret] }
  for (let failure = 0; failure < 5; failure++) await countFailure(agent, 'It answered 503.')
  await openBreaker('simulator', await getBreaker('simulator'), { openings: 1, open_until: until, reason: 'It failed.', owner: null })
}

const laterLead = async (body: Record<string, unknown> = {}, due = DUE): Promise<number> =>
  (await created({ call_schedule_start_time: new Date(due).toISOString(), ...body }, OTHER_KEY)).id

describe('more leads than lines that become due together', () => {
  it('a sweep sends one lead of a window while more leads than lines are overdue, even if a line is free', async () => {
    const leads: number[] = []
    for (const due of [DUE, DUE, DUE, DUE + 2 * MINUTE, DUE + 2 * MINUTE, DUE + 2 * MINUTE]) leads.push(await laterLead({}, due))
    setClock(DUE + MINUTE)
    await dispatchDue()
    expect(sent().filter(({ due_at }) => due_at > DUE + MINUTE)).toHaveLength(1)
    for (const id of leads) await unlistLead(id)
  })

  it('a sweep sends leads that become due soon only if the only agent, which is down, may be asked before the next sweeps', async () => {
    const leads = [await laterLead(), await laterLead(), await laterLead(), await laterLead()]
    setClock(DUE - MINUTE)
    await failAgent(DUE + 9 * MINUTE)
    await dispatchDue()
    expect(sent()).toEqual([])
    await closeBreaker('simulator', DUE - MINUTE)
    await failAgent(DUE)
    await dispatchDue()
    expect(sent()).toHaveLength(3)
    await closeBreaker('simulator', DUE)
    for (const id of leads) await unlistLead(id)
  })

  it('leads that become due together are called on both lines when a call ends before the extra lead of the sweep is dialled', async () => {
    const leads = [await laterLead(), await laterLead(), await laterLead(), await laterLead(), await laterLead()]
    setClock(DUE - MINUTE)
    await dispatchDue()
    const [first, ...others] = sent()
    expect(others).toHaveLength(2)
    setClock(DUE)
    await place([first])
    // The number is busy.
    await endCall(`${first.lead_id}-1`)
    await place(others)
    passTime(2 * SECOND)
    for (const { lead_id } of others) await endCall(`${lead_id}-1`)
    await placeAll()
    expect(keysAsked().toSorted()).toEqual(leads.map((id) => `${id}-1`).toSorted())
  })

  it('leads that become due together are called on both lines when the extra lead of the sweep was cancelled meanwhile', async () => {
    const leads = [await laterLead(), await laterLead(), await laterLead(), await laterLead(), await laterLead()]
    setClock(DUE - MINUTE)
    await dispatchDue()
    const messages = sent()
    const last = messages.find(({ fill_lines_of }) => fill_lines_of)
    const others = messages.filter(({ fill_lines_of }) => !fill_lines_of)
    setClock(DUE)
    await place(others)
    for (const { lead_id } of others) await endCall(`${lead_id}-1`)
    expect(await patchAs(last.lead_id, { status: 'CANCELLED' })).toMatchObject({ status: 200 })
    await place([last])
    await placeAll()
    expect(keysAsked().toSorted()).toEqual(
      leads
        .filter((id) => id !== last.lead_id)
        .map((id) => `${id}-1`)
        .toSorted(),
    )
  })

  it.each(['is repeated because its run died', 'was deleted'])(
    'leads that become due together get both lines when the extra lead of the sweep %s',
    async (what) => {
      const leads = [await laterLead(), await laterLead(), await laterLead(), await laterLead(), await laterLead()]
      setClock(DUE - MINUTE)
      await dispatchDue()
      const messages = sent()
      const last = messages.find(({ fill_lines_of }) => fill_lines_of)
      setClock(DUE)
      if (what === 'was deleted') {
        await place(messages.filter((message) => message !== last))
        for (const call of keysAsked()) await endCall(call)
        await deleteItem(leadKey(last.lead_id))
      } else {
        const die = (command: unknown) => {
          if (/SET waiting_time/.test(JSON.stringify(command))) throw new Error('The run died.')
        }
        await beforeEachSend(die, () => place([last]))
        await endCall(`${last.lead_id}-1`)
      }
      expect(sent()).toEqual([])
      await place([last])
      passTime(SECOND)
      const [fill, ...others] = sent()
      expect(others).toEqual([])
      await place([fill])
      expect(sent().filter(({ type }) => type === 'dial')).toHaveLength(2)
      await placeAll()
      for (const id of leads) await unlistLead(id)
    },
  )

  it('leads that become due together are called although leads abroad, whom the lead type does not call, are due first', async () => {
    const abroad = Array.from({ length: 12 }, (_, index) => ({ phone_number: `+4930901820${10 + index}`, timezone: 'Europe/Berlin' }))
    for (const lead of abroad) await laterLead(lead)
    const home = await laterLead({}, DUE + 1)
    setClock(DUE - 55 * SECOND)
    await dispatchDue()
    setClock(DUE + SECOND)
    await placeAll()
    expect(keysAsked()).toEqual([`${home}-1`])
  })

  it('leads that become due together are not sent again by the next sweep when a look has failed after their window', async () => {
    const [first, second] = [DUE, DUE + 30 * SECOND]
    for (let lead = 0; lead < 3; lead++) await laterLead({}, first)
    const later = await laterLead({}, second)
    setClock(DUE - 55 * SECOND)
    let isBusy = true
    sqs.on(SendMessageBatchCommand).callsFake(async ({ Entries }) => {
      if (isBusy && JSON.stringify(Entries).includes(`${second}`)) throw new Error('The queue is busy.')
      return { Successful: [], Failed: [] }
    })
    await dispatchDue()
    // This message was refused.
    expect(sent()).toContainEqual(expect.objectContaining({ lead_id: later }))
    isBusy = false
    await dispatchDue()
    expect(sent()).toEqual([expect.objectContaining({ lead_id: later })])
  })

  it('a failed look at the lines after the dial of the extra lead does not keep its agent from being asked', async () => {
    for (let lead = 0; lead < 3; lead++) await laterLead()
    setClock(DUE - MINUTE)
    await dispatchDue()
    const last = sent().find(({ fill_lines_of }) => fill_lines_of)
    setClock(DUE)
    await beforeEachSend(
      (command) => {
        if (/SET waiting_time/.test(JSON.stringify(command))) throw new Error('The table is busy.')
      },
      () => place([last]),
    )
    expect(keysAsked()).toEqual([`${last.lead_id}-1`])
  })
})
