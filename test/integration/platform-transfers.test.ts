import { describe, expect, it } from '@jest/globals'
import { getCall } from '#shared/calling/call-store.ts'
import { callStatus } from '#shared/calling/rules/call-status.ts'
import { applyTranslation } from '#shared/calling/take-report.ts'
import { now } from '#shared/platform/clock.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { getPhone } from '#shared/stops/phone-store.ts'
import { passTime } from '#test/support/clock.ts'
import type { TelnyxEmulator } from '#test/support/platforms/telnyx-emulator.ts'
import { toolWorld } from '#test/support/platforms/tool-world.ts'

const world = toolWorld()
const { platform, deliver, talking, outcome, place } = world
const telnyx = () => platform() as TelnyxEmulator

/** The person is connected to somebody else. */
const transferred = async () => {
  const one = await talking()
  telnyx().proceed(one.id, { answered: true, stays: 'talking', transfer: { to: '+12125550199', answered: true } })
  await deliver()
  return one
}

describe('a transfer that the platform does not mention at the end of the call', () => {
  world.on('telnyx')

  it('completes the call when the transferred conversation ends, and keeps its phone until then', async () => {
    const one = await transferred()
    const during = (await getCall(one.call))!
    expect(during).toMatchObject({ completed_time: null, ended_time: null })
    expect(callStatus(during)).toBe('TRANSFERRING')
    expect(await getPhone(during.phone_key)).toMatchObject({ current_call: one.call })
    telnyx().proceed(one.id, { answered: true, source: 'callee', insights: [{ outcome: 'completed' }] })
    await deliver()
    expect(await getCall(one.call)).toMatchObject({ reported_outcome: 'transferred_blind' })
    expect(await getPhone(during.phone_key)).toMatchObject({ current_call: null })
  })

  it('counts as well when it is reported after the end', async () => {
    const one = await talking()
    telnyx().proceed(one.id, { answered: true })
    await deliver()
    const ended = (await getCall(one.call))!
    expect(ended).toMatchObject({ completed_time: null, presumed_outcome: 'hung_up' })
    const connected = { type: 'call.transfer_connected', time: new Date(now()).toISOString() } as const
    await applyTranslation(ended, { callId: one.call, platformCallId: one.id, reports: [connected] }, '')
    expect(await getCall(one.call)).toMatchObject({ reported_outcome: 'transferred_blind' })
  })

  it('counts as well when the end of the call is polled', async () => {
    const one = await transferred()
    telnyx().callbackFault = 'lost'
    telnyx().proceed(one.id, { answered: true, insights: [{ outcome: 'completed' }] })
    passTime(11 * MINUTE)
    await place([{ type: 'watch', call_id: one.call }])
    expect(await getCall(one.call)).toMatchObject({ reported_outcome: 'transferred_blind' })
    expect(await outcome(one)).toMatchObject({ outcome: 'COMPLETED_CLOSED_LIVE_TRANSFER' })
  })

  it('does not outweigh a stop', async () => {
    const one = await transferred()
    telnyx().callbackFault = 'lost'
    telnyx().proceed(one.id, { answered: true, insights: [{ outcome: 'do_not_call' }] })
    passTime(11 * MINUTE)
    await place([{ type: 'watch', call_id: one.call }])
    expect(await getCall(one.call)).toMatchObject({ reported_outcome: 'do_not_call' })
  })
})
