import { afterEach, describe, expect, it, jest } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { giveName } from '#shared/accounts/names.ts'
import { allToLookAt } from '#shared/backlog/marks.ts'
import { accountHolder } from '#shared/backlog/rules/holders.ts'
import { now } from '#shared/platform/clock.ts'
import { BREAKERS, breakerKey, dueAt } from '#shared/platform/keys.ts'
import { batchDelete, batchPut } from '#shared/platform/table/batches.ts'
import { DAY, HOUR, MINUTE } from '#shared/platform/values/durations.ts'
import { settingsWorld } from '#test/support/changed-settings.ts'
import { setClock } from '#test/support/clock.ts'
import { created } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'
import { watchSent } from '#test/support/sent-messages.ts'
import { OWNER } from '#test/support/world.ts'

const { change, keysAsked, queued, place } = settingsWorld()
const sent = watchSent()

const AFTERNOON = NOON + 4 * HOUR

const deploy = async (settings: Readonly<Record<string, string>>): Promise<void> => {
  for (const name of ['DEFAULT_WINDOW', 'DEFAULT_TIMEZONE']) delete process.env[name]
  Object.assign(process.env, settings)
}
afterEach(() => deploy({}))

/** Has the sweep see the default hours, then narrower ones, under which a lead without a place is created. */
const movedLead = async (settings: Readonly<Record<string, string>>): Promise<number> => {
  await giveName({ kind: 'USER', keys: ['acme'], id: OWNER })
  await change(AFTERNOON, () => deploy(settings))
  const lead = await created({ timezone: undefined })
  await queued()
  expect(lead.next_call_time).not.toBeNull()
  expect(keysAsked()).toEqual([])
  return lead.id
}

describe('default hours that a deployment changes', () => {
  it.each([{ DEFAULT_WINDOW: '19:00-20:00' }, { DEFAULT_TIMEZONE: 'Pacific/Honolulu' }])(
    'a lead that %j moved to later is called within a minute after the next deployment reverts it',
    async (settings) => {
      const lead = await movedLead(settings)
      await change(AFTERNOON + 5 * MINUTE, () => deploy({}))
      expect(keysAsked()).toContain(`${lead}-1`)
    },
  )

  it('the marks of a deployment go after some minutes, and then cause no more messages', async () => {
    await movedLead({ DEFAULT_WINDOW: '19:00-20:00' })
    for (const minutes of [5, 6, 7, 8, 9]) await change(AFTERNOON + minutes * MINUTE, () => deploy({}))
    expect(await allToLookAt(now() + DAY, 100)).toEqual([])
    expect((await sent(() => dispatchDue())).filter(({ body }) => body.agent !== undefined)).toEqual([])
  })
})

describe('runs through all leads of accounts', () => {
  /** Marks some accounts of others, and begins a run through the one of OWNER. @returns the delays of its next message in seconds */
  const delays = async (others: number): Promise<number[]> => {
    const keys = Array.from({ length: others }, (_, index) => breakerKey(accountHolder(1000 + index)))
    await batchPut(keys.map((key) => ({ ...key, due_key: BREAKERS, due_at: dueAt(NOON, 0, 0) })))
    const run = { type: 'retry-held', agent: accountHolder(OWNER), began: now(), after: null }
    const next = (await sent(() => place([run]))).filter(({ body }) => body.agent === run.agent)
    await batchDelete(keys)
    expect(next).toMatchObject([{ body: { position: 1 } }])
    return next.map(({ delaySeconds }) => delaySeconds)
  }

  it.each([
    [0, 0],
    [10, 1],
    [900, 30],
  ])(
    'with %d other accounts marked, a run reads the first leads after a random time of up to twice %d seconds',
    async (others, seconds) => {
      setClock(NOON + HOUR)
      const random = jest.spyOn(Math, 'random').mockReturnValue(0.5)
      expect(await delays(others)).toEqual([seconds])
      random.mockRestore()
    },
  )
})
