import { handler as report } from '#functions/agents/call-events.ts'
import type { callWorld } from './agent-calls.ts'
import { passTime } from './clock.ts'
import { created } from './lead-requests.ts'
import { agentReport, OTHER_KEY, request } from './world.ts'

/** Leads and calls of the user with two lines. */
export const twoLines = ({ world, queued, place }: ReturnType<typeof callWorld>) => {
  /** A lead that is due after those before it. */
  const madeLead = async (): Promise<number> => {
    passTime(1)
    return (await created({}, OTHER_KEY)).id
  }
  /** As `madeLead`, and its call is tried. */
  const dueLead = async (): Promise<number> => {
    const id = await madeLead()
    await place(await queued())
    return id
  }
  const end = (id: number) => request(report, agentReport(world().agentSecret, `${id}-1`, 'call.completed', { outcome: 'not_interested' }))
  return { madeLead, dueLead, end }
}
