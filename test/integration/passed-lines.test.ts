import { beforeEach, describe, expect, it } from '@jest/globals'
import { leadKey, linesKey } from '#shared/platform/keys.ts'
import { deleteItem, updateItem } from '#shared/platform/table/table.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { twoLines } from '#test/support/two-lines.ts'

const calls = callWorld()
const { queued, place, placeQueued, keysAsked } = calls
const { madeLead, end } = twoLines(calls)

beforeEach(async () => {
  await updateItem(linesKey(2), { UpdateExpression: 'REMOVE waiting_time, fill_time, sent_until' })
})

/** A lead with its message, and one that waits behind it without a message, as in a list that is longer than the free lines. */
const twoDue = async () => {
  const first = await madeLead()
  const [message] = await queued()
  const next = await madeLead()
  await queued()
  return { first, message, next }
}

/** The lead is called with the line of the one before, without a sweep. */
const expectCalled = async (lead: number): Promise<void> => {
  await placeQueued()
  expect(keysAsked()).toEqual([`${lead}-1`])
  await end(lead)
  await placeQueued()
}

const erase = (lead: number) => deleteItem(leadKey(lead))

const spoil = async (lead: number): Promise<void> => {
  await updateItem(leadKey(lead), { UpdateExpression: 'SET attempts = :no', ExpressionAttributeValues: { ':no': 'no' } })
}

describe('the line of a lead that cannot be called any more', () => {
  it.each([
    ['a lead that was erased after it was sent', erase, {}],
    ['the last lead of a window that was erased after it was sent', erase, { fill_lines_of: 2 }],
    ['a lead that became unreadable after it was sent', spoil, {}],
  ])('%s passes its line on', async (_, remove, more) => {
    const { first, message, next } = await twoDue()
    await remove(first)
    expect(await place([{ ...message, ...more }])).toEqual([])
    await expectCalled(next)
  })

  it('a message of an earlier version, which does not name the owner, is dropped when its lead was erased', async () => {
    const { first, message, next } = await twoDue()
    await erase(first)
    const { owner, ...former } = message
    expect(owner).toBe(2)
    expect(await place([former])).toEqual([])
    expect(await queued()).toEqual([])
    await place([message])
    await expectCalled(next)
  })
})
