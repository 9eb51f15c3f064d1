import { afterEach, beforeEach } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { saveAgent } from '#shared/agents/agent-store.ts'
import { closeBreaker, countFailure, getBreaker, openBreaker } from '#shared/agents/breaker-store.ts'
import { saveEmergencies } from '#shared/backlog/emergency-store.ts'
import { markChanged } from '#shared/backlog/marks.ts'
import { getReadableLeads } from '#shared/leads/lead-store.ts'
import { now } from '#shared/platform/clock.ts'
import { transact } from '#shared/platform/table/transactions.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { forgetConfiguration } from './cache-clock.ts'
import { settingsWorld } from './changed-settings.ts'
import { setClock } from './clock.ts'
import { unlistHeld } from './held-leads.ts'
import { NOON } from './samples.ts'
import { watchSent } from './sent-messages.ts'

export type Sent = Awaited<ReturnType<ReturnType<typeof watchSent>>>

/** A world with holders that all owners share, an agent of its own for each test, and the messages about them. */
export const sharedHolders = () => {
  const { world, place } = settingsWorld()
  const sent = watchSent()

  let agents = 0
  const agent = () => ({ id: `agent-${agents}`, url: world().agent.url, secrets: [world().agentSecret] })

  beforeEach(async () => {
    agents++
    await saveAgent(agent())
  })
  afterEach(unlistHeld)

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

  return { agent, placeEach, sweep, startRuns, countHeld, agentIsDown, agentIsBack, emergencyEnds, registryChanges }
}
