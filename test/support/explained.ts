import { expect } from '@jest/globals'
import { handler as explain } from '#functions/leads/explain.ts'
import { KEY, request } from './world.ts'

/** The explanation of a lead: why it is or is not called, by gate name. @param key of the user who asks */
export const explained = async (id: number, query: Readonly<Record<string, string>> = {}, key = KEY) => {
  const answer = await request(explain, {
    method: 'GET',
    path: `/api/leads/${id}/explain/?${new URLSearchParams(query)}`,
    parameters: { id: `${id}` },
    headers: { Authorization: `Token ${key}` },
  })
  expect(answer).toMatchObject({ status: 200 })
  const gates = Object.fromEntries(answer.body.gates.map((gate: { gate: string }) => [gate.gate, gate]))
  return { ...answer.body, gates }
}
