import { handler as report } from '#functions/agents/call-events.ts'
import { handler as create } from '#functions/leads/create.ts'
import { handler as placeCall } from '#functions/workers/place-call.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import type { Ground } from '#test/support/uncalled-damage.ts'
import { agentReport, consumeAll, KEY, OTHER_KEY, request, type startWorld } from '#test/support/world.ts'

type World = Awaited<ReturnType<typeof startWorld>>

const succeeded = ({ status, body }: Awaited<ReturnType<typeof request>>) => {
  if (status >= 300) throw new Error(`A request was answered with ${status}: ${JSON.stringify(body)}`)
  return body
}

/** The surroundings in which damage can be planted, for a process without a test framework. */
export const newGround = (world: World): Ground => {
  let next = 1000
  const newLead = async (fields: Record<string, unknown> = {}, key = KEY) => {
    const headers = { Authorization: `Token ${key}` }
    const body = { phone_number: `+1212555${next++}`, timezone: 'America/New_York', ...fields }
    return (await getLead(succeeded(await request(create, { method: 'POST', path: '/api/leads/', headers, body })).id))!
  }
  const call = async (): Promise<string> => {
    await world.queues.take('CALL_QUEUE_URL')
    const { id } = await newLead()
    await consumeAll(placeCall, await world.queues.take('CALL_QUEUE_URL'))
    if (!(await getCall(`${id}-1`))) throw new Error(`The call ${id}-1 was not placed.`)
    return `${id}-1`
  }
  return {
    lead: (fields, isOther) => newLead(fields, isOther ? OTHER_KEY : KEY),
    call,
    endedCall: async () => {
      const id = await call()
      succeeded(await request(report, agentReport(world.agentSecret, id, 'call.completed', { outcome: 'no_answer' })))
      return id
    },
  }
}
