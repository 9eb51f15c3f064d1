import { describe, expect, it } from '@jest/globals'
import { banner, type ReadyReport } from '#lib/local/banner.ts'
import { type LocalOptions, readStartCommandLine } from '#lib/local/options.ts'

const REPORT: ReadyReport = {
  url: 'http://127.0.0.1:3000',
  consoleUrl: 'http://127.0.0.1:3000/console/#code=a',
  apiKey: 'lok_first',
  otherApiKey: 'lok_other',
  staffApiKey: 'lok_staff',
  userId: 1,
  otherUserId: 2,
  staffUserId: 3,
  leadTypeId: 1,
  inboundNumber: '+12125559999',
  ingestId: 'a',
  openIngestId: 'b',
  uploadSource: 'demo',
  agentUrl: 'http://127.0.0.1:4000',
  webhookSecret: 'whsec_secret',
  functionsPid: 7,
  operatorFile: '/home/a b/operator.json',
}

const optionsOf = (...flags: readonly string[]): LocalOptions => {
  const read = readStartCommandLine(flags)
  if (read.kind !== 'run') throw new Error('These flags are a mistake.')
  return read.options
}

const at = (instant: string, ...flags: readonly string[]): string => banner(REPORT, optionsOf(...flags), Date.parse(instant))

describe('the text that the local service prints', () => {
  it('the start text of the local service ends with the address, its console, its documentation and the keys', () => {
    const rows = at('2026-11-20T16:00:00Z').split('\n').slice(-11)
    expect(rows[0]).toBe('  service         http://127.0.0.1:3000')
    expect(rows[1]).toBe('  console         http://127.0.0.1:3000/console/#code=a (signs you in once, within an hour)')
    expect(rows[2]).toBe('  documentation   http://127.0.0.1:3000/api/docs/')
    expect(rows.slice(-5)).toEqual([
      '  webhook secret  whsec_secret',
      '  API key         lok_first',
      '  of another user lok_other',
      '  of staff        lok_staff',
      '',
    ])
  })

  it('the start text sets the variables of the guides in one line', () => {
    const line =
      'export API=http://127.0.0.1:3000 KEY=lok_first AGENT=http://127.0.0.1:4000 INGEST_URL=http://127.0.0.1:3000/api/ingest-lead/b/upsert/'
    expect(at('2026-11-20T16:00:00Z')).toContain(`\n  ${line}\n`)
  })

  it('the start text says by day that the example is called at once', () => {
    const text = at('2026-11-20T16:00:00Z')
    expect(text).toContain('The service calls it at once.')
    expect(text).not.toContain('--now')
  })

  it.each([
    ['at night', '2026-11-20T05:00:00Z', '2026-11-20T14:00:00Z'],
    ['late in the evening', '2026-11-21T02:30:00Z', '2026-11-21T14:00:00Z'],
  ])('the start text offers %s the clock with which the example is called at once', (_, now, offered) => {
    expect(at(now)).toContain(`\n  npm start -- --now ${offered}\n`)
    expect(at(offered)).toContain('The service calls it at once.')
  })

  it('the start text keeps the other options in the command that it offers', () => {
    expect(at('2026-11-20T05:00:00Z', '--port', '3001', '--data', 'my data')).toContain(
      "\n  npm start -- --now 2026-11-20T14:00:00Z --port 3001 --data 'my data'\n",
    )
    expect(at('2026-11-20T05:00:00Z', '--memory')).toContain('\n  npm start -- --now 2026-11-20T14:00:00Z --memory\n')
  })

  it('the start text says plainly that real phones ring, and names no number that could be dialled', () => {
    const text = at('2026-11-20T16:00:00Z', '--agent', 'voice')
    expect(text).toContain('\nREAL PHONES RING. The agent voice calls each lead that you create')
    expect(text).toContain('"phone_number": "YOUR_NUMBER"')
    expect(text).not.toMatch(/\+1\d{10}/)
    expect(text).toContain('\n  voice agent     voice (REAL PHONES RING)\n  simulator       http://127.0.0.1:4000/dials (simulated')
    expect(text).toContain('asked for outcomes every minute')
    const tunnel = at('2026-11-20T16:00:00Z', '--agent', 'voice', '--public-url', 'https://calls.example.com')
    expect(tunnel).toContain('A platform reports to https://calls.example.com.')
  })

  it('the start text gives a command that sets up a user, not only one that lists users', () => {
    expect(at('2026-11-20T16:00:00Z')).toContain('\n  npm run ops -- apply lib/ops/examples/company.yaml\n  npm run ops -- get users\n')
    expect(at('2026-11-20T16:00:00Z', '--memory')).toContain("\n  npm run ops -- --data '/home/a b' get users\n")
  })

  it('the start text says for an agent that reports need a callback secret, and that numbers abroad are called', () => {
    const text = at('2026-11-20T16:00:00Z', '--agent', 'voice', '--public-url', 'https://calls.example.com')
    expect(text).toContain('Reports of Bland, ElevenLabs, Telnyx and Vapi are refused until the agent has a callback_secret.')
    expect(text).toContain('A number outside the North American Numbering Plan is called too:')
  })
})
