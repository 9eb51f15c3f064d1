import { beforeEach, describe, expect, it } from '@jest/globals'
import { cleanUpEach } from '#test/support/clean-up.ts'
import { listLitigator } from '#test/support/litigators.ts'
import { opsWorld } from '#test/support/ops-world.ts'
import type { Emulator } from '#test/support/platforms/emulator.ts'
import { TRIAL_PLATFORMS } from '#test/support/platforms/trial-platforms.ts'
import { NOON } from '#test/support/samples.ts'
import { savePlatformAgent, shown, waitingClock } from '#test/support/trial-world.ts'

const { tool } = opsWorld()
const { cleanUp } = cleanUpEach('hours')

/** 3:00 in New York, and 17:00 in Tokyo. */
const NIGHT = NOON - 8 * 3_600_000

const bland = TRIAL_PLATFORMS.find(({ name }) => name === 'bland')!
let platform: Emulator
let agent: string
beforeEach(async () => {
  platform = await bland.start(() => NOON)
  cleanUp(platform.close)
  agent = await savePlatformAgent(bland, platform)
})

const tried = async (at: number, phone: string, ...flags: readonly string[]) => {
  const args = ['agents', 'try', agent, phone, '--yes', ...flags]
  return shown(args.join(' '), await tool().ops(args, { waiting: waitingClock(undefined, at) }))
}

describe('the hours of a trial call', () => {
  it.each([
    ['is incomplete', '+1212555', 2, /is not a phone number/],
    ['is abroad, without a time zone', '+442079460958', 1, /outside the North American Numbering Plan.*--timezone Europe\/London/],
  ])('a trial rings nobody if the number %s', async (_, phone, code, sentence) => {
    expect(await tried(NOON, phone)).toMatchObject({ code, err: expect.stringMatching(sentence) })
    expect(platform.seen).toEqual([])
  })

  it('a trial rings nobody if the number is on the list of litigators', async () => {
    await listLitigator('+12125550099')
    expect(await tried(NOON, '+12125550099', '--timezone', 'America/New_York')).toMatchObject({
      ...{ code: 1, err: expect.stringContaining('list of litigators') },
    })
    expect(platform.seen).toEqual([])
  })

  it.each([
    ['at night in the place of its area code', NIGHT, 'Friday 2026-11-20 03:00 in America/New_York is outside 08:00-21:00.'],
    ['at night in the zone that the operator names', NOON, 'Saturday 2026-11-21 01:00 in Asia/Tokyo is outside 08:00-21:00.'],
  ])('a trial rings nobody %s', async (_, at, why) => {
    const { code, err } = await tried(at, '+12125550123', '--timezone', 'Asia/Tokyo')
    expect(err).toContain(why)
    expect(err).toContain('It may again from 2026-11-20T23:00:00.000Z. Nobody was called.')
    expect({ code, seen: platform.seen }).toEqual({ code: 1, seen: [] })
  })

  it("a trial obeys the law of the number's area code in whatever zone the number is", async () => {
    // In Louisiana, no sales call is lawful on a Sunday.
    const { code, err } = await tried(NOON + 2 * 24 * 3_600_000, '+15045550123', '--timezone', 'America/New_York')
    expect(err).toContain('LA: ')
    expect({ code, seen: platform.seen }).toEqual({ code: 1, seen: [] })
  })

  it.each([
    ['abroad', '+442079460000'],
    ['without a place', '+18005550000'],
  ])("a trial rings by the operator's time zone alone if the number is %s", async (_, phone) => {
    expect(await tried(NIGHT, phone, '--timezone', 'Asia/Tokyo')).toMatchObject({ code: 0, err: '' })
    expect(platform.rung).toMatchObject([{ to: phone }])
  })

  it('a trial refuses a time zone that does not exist', async () => {
    expect(await tried(NOON, '+442079460000', '--timezone', 'Mars/Base')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Mars/Base'),
    })
  })

  it('a trial of a number abroad says that its lead type must call abroad', async () => {
    const sentence = 'In the service, only a lead type with international: true calls it.'
    const zone = ['--timezone', 'Europe/London']
    expect((await tried(NOON, '+442079460123', ...zone)).out).toContain(sentence)
    expect((await tried(NOON, '+12125550123', '--timezone', 'America/New_York')).out).not.toContain(sentence)
  })
})
