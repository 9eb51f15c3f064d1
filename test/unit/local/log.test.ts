import { describe, expect, it } from '@jest/globals'
import { serviceLog } from '#lib/local/log.ts'

const MACHINE = Date.parse('2026-11-22T03:00:00.000Z')
const SERVICE = Date.parse('2026-11-20T16:00:00.000Z')

/** The lines as the log shows them. */
const shown = (isVerbose: boolean, ...lines: readonly string[]): string[] => {
  const written: string[] = []
  const log = serviceLog({ isVerbose, offsetMs: SERVICE - MACHINE, now: () => SERVICE, write: (line) => written.push(line) })
  for (const line of lines) log(line)
  return written
}

const entry = (level: string, message: string, more: Record<string, unknown> = {}): string =>
  JSON.stringify({ level, message, timestamp: new Date(MACHINE).toISOString(), service: 'lead-outreach', function: 'place-call', ...more })

describe('the log of the local service', () => {
  it('the log of the local service is silent while nothing goes wrong', () => {
    expect(shown(false, entry('INFO', 'run'), 'dynamodb: Shutting down...', '{"_aws":{},"requests_2xx":1}')).toEqual([])
  })

  it('the log of the local service shows a warning as one line, at the time of the service', () => {
    const error = { name: 'TypeError', message: 'Not a number.', stack: '\n    at a.ts:1' }
    expect(shown(false, entry('WARN', 'The agent is asked again.', { call: '1-1' }), entry('ERROR', 'The run failed.', { error }))).toEqual(
      [
        '2026-11-20T16:00:00.000Z WARN The agent is asked again. {"call":"1-1"} (place-call)',
        '2026-11-20T16:00:00.000Z ERROR The run failed. TypeError: Not a number. (place-call)',
      ],
    )
  })

  it('the log of the local service shows lines from outside its logger with the time of the service', () => {
    expect(shown(false, 'functions: the process ended', 'dynamodb: error: disk full')).toEqual([
      '2026-11-20T16:00:00.000Z functions: the process ended',
      '2026-11-20T16:00:00.000Z dynamodb: error: disk full',
    ])
  })

  it('the log of the local service shows everything with --verbose, at the time of the service', () => {
    const lines = [entry('INFO', 'run'), 'dynamodb: Shutting down...', '{"_aws":{}}']
    expect(shown(true, ...lines)).toEqual([
      lines[0]?.replace('2026-11-22T03:00:00.000Z', '2026-11-20T16:00:00.000Z'),
      '2026-11-20T16:00:00.000Z dynamodb: Shutting down...',
      '{"_aws":{}}',
    ])
  })
})
