import { beforeEach, describe, expect, it } from '@jest/globals'
import { setClock } from '#test/support/clock.ts'
import { created } from '#test/support/lead-requests.ts'
import { opsWorld } from '#test/support/ops-world.ts'
import { NOON } from '#test/support/samples.ts'

const { tool } = opsWorld()
beforeEach(() => setClock(NOON))

const explained = async (id: number, ...more: readonly string[]) => (await tool().ops(['lead', 'explain', `${id}`, ...more])).out

describe('the explanation of a lead for operators', () => {
  it('lead explain says that the rules allow a call now, and whether the planned call is due', async () => {
    const { id } = await created({ timezone: 'America/New_York' })
    expect(await explained(id)).toMatch(
      new RegExp(`^The rules allow a call to lead ${id} now \\(2026-11-20T16:00.*\\)\\. The next call is due\\.\n\nGATE`),
    )
    const start = '2026-11-20T18:38:29Z'
    const { id: later } = await created({ timezone: 'America/New_York', call_schedule_start_time: start })
    expect(await explained(later, '--at', start)).toMatch(new RegExp(`^The rules allow a call to lead ${later} at 2026-11-20T18:38:29`))
  })

  it('lead explain says from when the rules allow a call that they refuse now', async () => {
    const { id } = await created({ timezone: 'America/New_York' })
    const text = await explained(id, '--at', '2026-11-21T03:00:00Z')
    expect(text).toMatch(
      new RegExp(`^Lead ${id} is not called at 2026-11-21T03:00:00.*\\.\nThe rules allow a call from 2026-11-21T13:00:00.*\\.\n\nGATE`),
    )
  })

  it('lead explain says what the agent must say, with citations', async () => {
    const { id } = await created({ us_state: 'NJ', timezone: 'America/New_York' })
    expect(await explained(id)).toMatch(
      /\nThe agent must say within 30 seconds: name, company, purpose, callback_number, opt_out\.\nThat is written in: federal \(47 CFR 64\.1200\(b\)\), .*NJ \(N\.J\.S\.A\. 56:8-128\(b\)\)\. This is not legal advice\./,
    )
  })
})
