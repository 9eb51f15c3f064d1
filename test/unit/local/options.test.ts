import { describe, expect, it } from '@jest/globals'
import { readStartCommandLine } from '#lib/local/options.ts'

describe('the command line of the local run', () => {
  it('npm start has defaults for all options', () => {
    expect(readStartCommandLine([])).toEqual({
      kind: 'run',
      options: {
        port: 3000,
        dataDirectory: '.local',
        now: undefined,
        assembly: undefined,
        agent: undefined,
        publicUrl: undefined,
        twice: false,
        timeLimits: false,
        json: false,
        verbose: false,
      },
    })
  })

  it('npm start reads every option', () => {
    const flags = [
      '--port',
      '0',
      '--data',
      'here',
      '--now',
      '2026-11-20T16:00:00Z',
      '--assembly',
      'built',
      '--public-url',
      'https://calls.example.com/',
      '--twice',
      '--time-limits',
      '--json',
    ]
    expect(readStartCommandLine(flags)).toEqual({
      kind: 'run',
      options: {
        port: 0,
        dataDirectory: 'here',
        now: Date.UTC(2026, 10, 20, 16),
        assembly: 'built',
        agent: undefined,
        publicUrl: 'https://calls.example.com',
        twice: true,
        timeLimits: true,
        json: true,
        verbose: true,
      },
    })
  })

  it('npm start logs everything with --verbose and with --json', () => {
    expect(readStartCommandLine(['--verbose'])).toMatchObject({ options: { json: false, verbose: true } })
    expect(readStartCommandLine(['--json'])).toMatchObject({ options: { json: true, verbose: true } })
  })

  it('npm start --agent takes the agent that calls new leads', () => {
    expect(readStartCommandLine(['--agent', 'voice'])).toMatchObject({ options: { agent: 'voice', dataDirectory: '.local' } })
  })

  it('npm start --memory names no data directory', () => {
    expect(readStartCommandLine(['--memory'])).toMatchObject({ options: { dataDirectory: undefined } })
  })

  it('npm start --now takes the zone of the time into account', () => {
    expect(readStartCommandLine(['--now', '2026-11-20T11:00:00.250-05:00'])).toMatchObject({
      options: { now: Date.UTC(2026, 10, 20, 16, 0, 0, 250) },
    })
  })

  it('npm start --help gives help whatever the other options are', () => {
    expect(readStartCommandLine(['--help', '--port', '99999'])).toEqual({ kind: 'help' })
  })

  it.each([
    [['--port', 'abc'], /--port .*"abc"/],
    [['--port', '65536'], /--port .*"65536"/],
    [['--port', '-1'], /--port needs a value; write a value that begins with a dash as --port=VALUE/],
    [['--port', ''], /--port/],
    [['--port'], /--port/],
    [['--now', '2026-02-30T00:00:00Z'], /--now .*"2026-02-30T00:00:00Z"/],
    [['--now', '2026-11-20'], /--now .*"2026-11-20"/],
    [['--now', '2026-11-20T16:00:00'], /--now/],
    [['--now', '2026-13-40T16:00:00Z'], /--now/],
    [['--data', ''], /--data/],
    [['--assembly', ''], /--assembly/],
    [['--agent', ''], /--agent takes the key/],
    [['--agent', 'simulator'], /without --agent/],
    [['--agent', 'voice', '--memory'], /--memory .*--agent/],
    [['--agent', 'voice', '--now', '2026-11-20T16:00:00Z'], /--now moves the clock.*unlawful.*--agent/],
    [['--public-url', 'http://calls.example.com'], /--public-url takes the https address/],
    [['--public-url', 'https://127.0.0.1:3000'], /--public-url/],
    [['--public-url', 'https://calls.example.com/path'], /without a path/],
    [['--public-url', 'calls.example.com'], /--public-url/],
    [['--data', 'x', '--memory'], /--memory .*--data/],
    [['--colour'], /^Unknown option '--colour'\.$/],
    [['--memry'], /^Unknown option '--memry'\. Did you mean --memory\?$/],
    [['extra'], /extra/],
  ])('npm start refuses %j in one sentence', (args, message) => {
    const read = readStartCommandLine(args)
    expect(read).toEqual({ kind: 'mistake', message: expect.stringMatching(message) })
    expect(read.kind === 'mistake' && read.message).toMatch(/^[^\n]+[.?]$/)
  })
})
