import { ChangeMessageVisibilityCommand, SQSClient } from '@aws-sdk/client-sqs'
import { beforeEach, describe, expect, it, jest } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { dueKeys } from '#shared/platform/keys.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { captureLog } from '#test/support/captured-log.ts'
import { passTime, setClock } from '#test/support/clock.ts'
import { created } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'
import { watchSent } from '#test/support/sent-messages.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'
import { twoLines } from '#test/support/two-lines.ts'
import { OTHER_KEY, OWNER } from '#test/support/world.ts'

/** The user with two lines. */
const OTHER = 2

const calls = callWorld()
const { queued, place, placeQueued, keysAsked } = calls
const { end } = twoLines(calls)
const sentBy = watchSent()
const lines = captureLog()

const AGAIN = { body: { type: 'look', owners: [OTHER] }, delaySeconds: 5, group: `look-${OTHER}` }
const look = (...owners: number[]) => ({ type: 'look', owners })

/** While `run` runs, the due leads of these owners cannot be read. */
const withFailing = (owners: readonly number[], run: () => Promise<unknown>): Promise<unknown> => {
  const keys = owners.flatMap((owner) => dueKeys(owner).map((key) => JSON.stringify(key)))
  return beforeEachSend((command) => {
    const text = JSON.stringify(command)
    if (keys.some((key) => text.includes(key))) throw new Error('The key is busy.')
  }, run)
}

beforeEach(() => setClock(NOON))

describe('a look at the due leads of an owner that fails', () => {
  it('a look that fails for one of its owners is repeated for this owner alone, and then calls its leads', async () => {
    const { id } = await created({}, OTHER_KEY)
    await queued()
    passTime(MINUTE)
    const run = async () => expect(await place([look(OWNER, OTHER, 3)])).toEqual([])
    expect(await sentBy(() => withFailing([OTHER], run))).toEqual([AGAIN])
    const warnings = lines.filter((line) => line.includes('"WARN"')).map((line) => JSON.parse(line))
    expect(warnings).toEqual([expect.objectContaining({ owner: OTHER, error: expect.objectContaining({ message: 'The key is busy.' }) })])
    await place([AGAIN.body])
    await placeQueued()
    expect(keysAsked()).toEqual([`${id}-1`])
    await end(id)
  })

  it.each([[[OTHER]], [[OWNER, OTHER]]])('a look that fails for all of its owners, %j, comes back itself', async (owners) => {
    const run = async () => expect(await place([look(...owners)])).toEqual([0])
    expect(await sentBy(() => withFailing(owners, run))).toEqual([])
  })

  it('the sweep sends a message for the owner whose look fails', async () => {
    await created()
    await created({}, OTHER_KEY)
    await queued()
    expect(await sentBy(() => withFailing([OTHER], dispatchDue))).toContainEqual(AGAIN)
  })
})

describe('the message of a look', () => {
  it('the message of a look comes back within seconds after a failure, but not while the look still runs', async () => {
    const sends = jest.spyOn(SQSClient.prototype, 'send')
    const returns = () => sends.mock.calls.filter(([command]) => command instanceof ChangeMessageVisibilityCommand).length
    const before = returns()
    await place([look(OWNER)])
    expect(returns()).toBe(before)
    await withFailing([OWNER], () => place([look(OWNER)]))
    expect(returns()).toBe(before + 1)
  })
})
