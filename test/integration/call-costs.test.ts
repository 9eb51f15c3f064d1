import { describe, expect, it } from '@jest/globals'
import { handler as report } from '#functions/agents/call-events.ts'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { MOST_AFTER_DIAL, MOST_DIAL } from '#test/support/call-units.ts'
import { passTime } from '#test/support/clock.ts'
import { created, writeUnits } from '#test/support/lead-requests.ts'
import { sweepNewDeployment } from '#test/support/new-deployment.ts'
import { agentReport, request } from '#test/support/world.ts'

const { world, queued, place } = callWorld()

/** Time passes before each step of a call: a lead's entry in the change index moves only when its time changes. */
const tell = async (callId: string, type: string, data: unknown = {}) => {
  passTime(SECOND)
  const answer = await request(report, agentReport(world().agentSecret, callId, type, data))
  expect(answer.status).toBe(200)
}

describe('costs in write units', () => {
  it('creating a lead costs at most 8 write units', async () => {
    await created()
    const write = await writeUnits(() => created())
    process.stdout.write(`create: ${write} write units\n`)
    expect(write).toBeGreaterThanOrEqual(4)
    expect(write).toBeLessThanOrEqual(8)
  })

  it(`a whole call costs at most ${MOST_DIAL + MOST_AFTER_DIAL} write units, of which the dial takes at most ${MOST_DIAL}`, async () => {
    const lead = await created()
    const messages = await queued()
    passTime(SECOND)
    const dialled = await writeUnits(() => place(messages))
    expect(dialled).toBeLessThanOrEqual(MOST_DIAL)
    const outcome = await writeUnits(async () => {
      await tell(`${lead.id}-1`, 'call.answered')
      await tell(`${lead.id}-1`, 'call.completed', { outcome: 'no_answer' })
    })
    process.stdout.write(`dial: ${dialled} write units, outcome: ${outcome}\n`)
    expect(dialled).toBeGreaterThanOrEqual(8)
    expect(outcome).toBeLessThanOrEqual(MOST_AFTER_DIAL)
  })

  it('a call whose end is reported before its outcome frees its line only once', async () => {
    const lead = await created()
    await place(await queued())
    await tell(`${lead.id}-1`, 'call.answered')
    const ended = await writeUnits(() => tell(`${lead.id}-1`, 'call.ended'))
    const completed = await writeUnits(() => tell(`${lead.id}-1`, 'call.completed', { outcome: 'no_answer' }))
    // The end: the call, the line and the phone. The outcome: the call, the lead with two indexes, and the end of the watch.
    expect({ ended, completed }).toEqual({ ended: 3, completed: 7 })
  })

  it('a sweep that finds nothing costs no write units', async () => {
    await sweepNewDeployment()
    expect(await writeUnits(() => dispatchDue())).toBe(0)
  })
})
