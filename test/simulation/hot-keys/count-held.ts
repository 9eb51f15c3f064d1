import { handler as inboundCall } from '#functions/agents/inbound-calls.ts'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { handler as placeCall } from '#functions/workers/place-call.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { closeBreaker, countFailure, getBreaker, openBreaker } from '#shared/agents/breaker-store.ts'
import { now } from '#shared/platform/clock.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { agentRequest } from '#test/support/agent-request.ts'
import { passTime } from '#test/support/clock.ts'
import { sampleLeadType } from '#test/support/samples.ts'
import { OWNER } from '#test/support/world.ts'
import { ask, consumed } from './asked.ts'
import type { KeyUnits } from './unit-counter.ts'

type Count = (count: number, run: () => Promise<unknown>) => Promise<KeyUnits>
type Take = (queue: string) => Promise<{ readonly agent?: string }[]>

const AGENT = 'simulator'
const REASON = 'It failed.'

const isOfHolder = ({ agent }: { readonly agent?: string }): boolean => agent !== undefined

/** An agent that is down holds the leads, and releases them when it is back. @param url of the agent */
export const countHeld = async (url: string, dials: readonly unknown[], take: Take, counted: Count) => {
  await countFailure({ id: AGENT, url, secrets: [] }, REASON)
  await openBreaker(AGENT, await getBreaker(AGENT), { openings: 1, open_until: now() + MINUTE, reason: REASON, owner: null })
  const hold = await counted(dials.length, async () => {
    for (const dial of dials) await consumed(placeCall, [dial])
  })
  await closeBreaker(AGENT, now())
  passTime(MINUTE)
  await take('CALL_QUEUE_URL')
  await dispatchDue()
  await consumed(placeCall, (await take('CALL_QUEUE_URL')).filter(isOfHolder))
  const runs = (await take('CALL_QUEUE_URL')).filter(isOfHolder)
  return { hold, release: await counted(dials.length, () => consumed(placeCall, runs)) }
}

/** The persons with these phones call the number of a lead type. */
export const countInbound = async (phones: readonly string[], agentSecret: string, counted: Count): Promise<KeyUnits> => {
  const to = '+12125550190'
  await saveLeadType(sampleLeadType({ id: 6, owner: OWNER, inbound_numbers: [to] }))
  const ring = (from: string) =>
    ask(inboundCall, agentRequest(agentSecret, '/api/agents/inbound-calls/', { provider_call_id: from, from, to }))
  // The first call reads the settings.
  const [first = '', ...others] = phones
  await ring(first)
  return counted(others.length, async () => {
    for (const from of others) await ring(from)
  })
}
