import { consumeAll, request } from '#test/support/world.ts'

/** @returns the body of the answer */
export const ask = async (handler: Parameters<typeof request>[0], call: Parameters<typeof request>[1]) => {
  const answer = await request(handler, call)
  if (answer.status >= 300) throw new Error(`${call.method} ${call.path} answers ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body
}
export const consumed = async (...call: Parameters<typeof consumeAll>): Promise<void> => {
  const back = await consumeAll(...call)
  if (back.length > 0) throw new Error(`${back.length} messages come back.`)
}
