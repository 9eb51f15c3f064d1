import { describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { now } from '#shared/platform/clock.ts'
import { heldKey } from '#shared/platform/keys.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { setClock } from '#test/support/clock.ts'
import { ACCEPT, failingAgents } from '#test/support/failing-agents.ts'
import { heldLeads, unlistHeld } from '#test/support/held-leads.ts'
import { watchSent } from '#test/support/sent-messages.ts'
import { OTHER_KEY } from '#test/support/world.ts'

const { agent, breaker, answers, createLeads, queued, place, keysAsked, dueLead, open, pauseIsOver, placeQueued } = failingAgents()

const sent = watchSent()

describe('after the pause of an agent', () => {
  const holdSome = async (count: number): Promise<number[]> => {
    const ids = await createLeads(count)
    await place(await queued())
    for (const id of ids) expect(await getLead(id)).toMatchObject({ due_list: 'HELD' })
    return ids
  }

  it('only one of many due calls dials after the pause of an agent, and its failure makes the next pause longer', async () => {
    await open()
    await holdSome(4)
    const fresh: unknown[] = []
    for (let lead = 0; lead < 6; lead++) fresh.push((await dueLead()).message)
    answers({ status: 500 })
    const first = (await breaker()).open_until
    await pauseIsOver()
    await dispatchDue()
    await place([...(await queued()), ...fresh])
    await place(await queued())
    expect(keysAsked()).toHaveLength(1)
    const { openings, open_until } = await breaker()
    expect(openings).toBe(2)
    expect(open_until - first).toBeGreaterThan(60 * SECOND)
    expect(open_until - first).toBeLessThan(120 * SECOND)
    setClock(first + 45 * SECOND)
    await dispatchDue()
    await place((await queued()).filter(({ type: kind }) => kind !== 'watch'))
    expect(keysAsked()).toHaveLength(1)
  })

  it('an accepted call after the pause of an agent closes the breaker and releases every held lead', async () => {
    await open()
    const ids = await holdSome(5)
    const other = await dueLead(OTHER_KEY)
    await place([other.message])
    await pauseIsOver()
    await dispatchDue()
    await placeQueued()
    const all = [...ids, other.id].map((id) => `${id}-1`)
    expect(
      keysAsked()
        .filter((key) => all.includes(key))
        .toSorted(),
    ).toEqual(all.toSorted())
    expect(await breaker()).toMatchObject({ failures: 0, openings: 0, open_until: 0, probe: null })
    setClock(now() + 200 * SECOND)
    await dispatchDue()
    await placeQueued()
    await dispatchDue()
    expect((await queued()).filter((message) => message.agent === agent().id)).toEqual([])
  })

  it('the sweep releases the leads held by a breaker when the release message is lost', async () => {
    await open()
    const ids = await holdSome(3)
    await pauseIsOver()
    await dispatchDue()
    await place((await queued()).filter((message) => message.agent === agent().id))
    const [probe] = await queued()
    await place([probe])
    // The message that releases the others goes astray.
    expect((await queued()).map(({ type: kind }) => kind)).toEqual(['probe'])
    expect(keysAsked()).toHaveLength(1)
    setClock(now() + 60 * SECOND)
    await dispatchDue()
    await placeQueued()
    expect(keysAsked()).toEqual(expect.arrayContaining(ids.map((id) => `${id}-1`)))
  })

  it('another probe of the agent follows a probe that was answered with 409', async () => {
    await open()
    const ids = await holdSome(2)
    await pauseIsOver()
    // The agent does not say: neither back nor down.
    answers({ status: 409 })
    await dispatchDue()
    await place((await queued()).filter((message) => message.agent === agent().id))
    await place(await queued())
    // Whichever of the two comes first.
    expect(keysAsked()).toHaveLength(1)
    const other = ids.map((id) => `${id}-1`).find((key) => !keysAsked().includes(key))
    answers(ACCEPT)
    await pauseIsOver()
    await dispatchDue()
    await placeQueued()
    expect(keysAsked()).toContain(other)
  })

  it.each([
    ['former list', ''],
    ['list of the other owner', '#2'],
  ])('leads of the owner whose call failed last are probes only if no other owner has any: in the %s', async (_, part) => {
    await open()
    const own = await heldLeads(3, { held_by: agent().id })
    const probes = async () => (await sent(() => place([{ type: 'probe', agent: agent().id }]))).map(({ body }) => body.lead_id)
    await pauseIsOver()
    expect((await probes()).toSorted()).toEqual(own)
    const other = await heldLeads(2, { held_by: agent().id }, { key: OTHER_KEY, due_key: heldKey(`${agent().id}${part}`) })
    expect((await probes()).toSorted()).toEqual(other)
    await unlistHeld()
  })

  it('a call that falls due after the pause of its agent serves as the probe', async () => {
    await open()
    await pauseIsOver()
    await place([(await dueLead()).message])
    expect(keysAsked()).toHaveLength(1)
    expect(await breaker()).toMatchObject({ failures: 0 })
  })
})
