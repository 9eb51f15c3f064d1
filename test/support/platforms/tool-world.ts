import { beforeAll } from '@jest/globals'
import { handler as tools } from '#functions/agents/platform-tools.ts'
import { now } from '#shared/platform/clock.ts'
import { request } from '#test/support/world.ts'
import { platformCalls } from './platform-calls.ts'
import { TOOL_CASES, type ToolCase } from './tool-cases.ts'

interface Sent {
  readonly agent?: string
  readonly token?: string
}

/** Calls on a platform that the tests choose, and requests to tools as a customer's own code sends them. */
export const toolWorld = () => {
  let chosen: ToolCase
  const calls = platformCalls(async (clock) => ({ ...(await chosen.start(clock)), name: chosen.name }), now)

  /** Sets the platform of the tests of a suite. */
  const on = (name: string): void =>
    beforeAll(() => {
      chosen = TOOL_CASES.find((one) => one.name === name)!
    })

  /** A call that goes on, and its id on the platform. */
  const talking = async () => {
    const one = await calls.called(chosen.lastFour)
    await calls.deliver()
    return { ...one, id: calls.platform().rung.at(-1)!.platformCallId }
  }

  const send = async (tool: string, body: unknown, { agent = calls.agentKey(), token }: Sent = {}) => {
    const authorization = token ?? Object(await calls.definition('do_not_call')).request.headers.authorization
    const path = `/api/agents/platforms/${agent}/tools/${tool}/`
    const headers = { Authorization: authorization, host: 'x' }
    return request(tools, { method: 'POST', path, parameters: { agent, tool }, headers, body })
  }

  return { ...calls, on, talking, send }
}
