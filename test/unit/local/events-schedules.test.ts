import { describe, expect, it } from '@jest/globals'
import { periodOf, scheduleOf } from '#lib/local/events/schedules.ts'
import { ruleOf } from '#test/support/event-template.ts'
import { eventually } from '#test/support/eventually.ts'

const minute = ruleOf({ name: 'each-minute', schedule: 'rate(1 minute)', targetArn: 'dispatch' })

/** A clock that starts at `start` and runs `speed` times as fast as real time. */
const clockFrom = (start: string, speed: number) => {
  const begun = performance.now()
  return () => Date.parse(start) + (performance.now() - begun) * speed
}

const run = (clock: () => number, send: (payload: unknown) => Promise<void>) => {
  const stopping = new AbortController()
  const logged: string[] = []
  const ended = scheduleOf(minute, 'rate(1 minute)', () => send)({ clock, log: (line) => logged.push(line), signal: stopping.signal })
  const stop = () => {
    stopping.abort()
    return ended
  }
  return { logged, stop }
}

describe('a schedule', () => {
  it('a schedule runs at the start and then at each whole minute of the service clock', async () => {
    const events: unknown[] = []
    let now = Date.parse('2026-11-20T07:59:59.700Z')
    const { stop } = run(
      () => now,
      async (event) => void events.push(event),
    )
    await eventually(() => events.length === 1)
    now = Date.parse('2026-11-20T08:00:00.010Z')
    await eventually(() => events.length === 2)
    await stop()
    expect(events).toMatchObject([
      {
        version: '0',
        'detail-type': 'Scheduled Event',
        source: 'aws.events',
        time: '2026-11-20T07:59:59Z',
        resources: ['arn:aws:events:us-east-1:000000000000:rule/each-minute'],
        detail: {},
      },
      { time: '2026-11-20T08:00:00Z' },
    ])
  })

  it('a schedule runs again during a slow run, but not a third time', async () => {
    let begun = 0
    const hanging: (() => void)[] = []
    const send = () => {
      begun += 1
      return new Promise<void>((resolve) => hanging.push(resolve))
    }
    const { logged, stop } = run(clockFrom('2026-11-20T08:00:30Z', 300), send)
    await eventually(() => logged.length > 0)
    expect(begun).toBe(2)
    for (const finish of hanging) finish()
    await stop()
  })

  it('a schedule continues after a run that failed', async () => {
    let begun = 0
    const { logged, stop } = run(clockFrom('2026-11-20T08:00:30Z', 300), () => Promise.reject(new Error(`no ${++begun}`)))
    await eventually(() => begun >= 3)
    await stop()
    expect(logged[0]).toContain('no 1')
  })

  it('a schedule has a period in minutes, hours or days', () => {
    expect(['rate(1 minute)', 'rate(5 minutes)', 'rate(2 hours)', 'rate(1 day)'].map(periodOf)).toEqual([
      60_000, 300_000, 7_200_000, 86_400_000,
    ])
  })

  it.each(['cron(0 8 * * ? *)', 'rate(0 minutes)', 'rate(10 seconds)'])(
    'a schedule that cannot run here is refused with a clear sentence: %s',
    (schedule) => {
      expect(() => periodOf(schedule)).toThrow(/cannot be run here/)
    },
  )
})
