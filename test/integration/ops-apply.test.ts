import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { leadTypesOf } from '#shared/accounts/lead-type-store.ts'
import { findNamed } from '#shared/accounts/names.ts'
import { changeSecrets, readUser } from '#shared/accounts/user-store.ts'
import { readAgent } from '#shared/agents/agent-store.ts'
import { getInboundNumber } from '#shared/agents/inbound-number-store.ts'
import { sourcesOf } from '#shared/ingestion/source-store.ts'
import { reserveIds } from '#shared/platform/ids/ids.ts'
import { COMPANY, variable } from '#test/support/ops.ts'
import { opsWorld } from '#test/support/ops-world.ts'

// The world has given itself ids.
const { tool } = opsWorld({ prepare: () => reserveIds(100) })

const idOf = async (...keys: string[]) => Number(await findNamed(keys.length === 1 ? 'USER' : 'LEADTYPE', keys))
const typeOf = async (wanted: string) => (await leadTypesOf(await idOf('acme'))).find(({ name }) => name === wanted)!

describe('a file that is applied', () => {
  it("apply only shows a file's changes in a dry run", async () => {
    const { code, out } = await tool().apply(COMPANY, ['--dry-run'])
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(/\n8 new, 1 changed, 0 removed, 0 unchanged\nNothing was written\.\n$/),
    })
    expect(await findNamed('USER', ['acme'])).toBeUndefined()
  })

  it('apply writes nothing when the operator answers no', async () => {
    expect(await tool().apply(COMPANY, [], { answer: () => 'no' })).toMatchObject({ code: 1, err: 'Nothing was written.\n' })
    expect(await findNamed('USER', ['acme'])).toBeUndefined()
  })

  it('apply writes nothing when the operator aborts the question', async () => {
    const answer = () => Promise.reject(Object.assign(new Error('Aborted with Ctrl+C'), { name: 'AbortError', code: 'ABORT_ERR' }))
    expect(await tool().apply(COMPANY, [], { answer })).toMatchObject({ code: 1, err: '\nNothing was written.\n' })
    expect(await findNamed('USER', ['acme'])).toBeUndefined()
  })

  it.each([[[]], [['--json']]])('apply needs --yes when nobody can be asked: %j', async (args) => {
    const file = join(tool().directory, 'unattended.yaml')
    await writeFile(file, COMPANY)
    const { code, out, err } = await tool().ops(['apply', file, ...args])
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/There is no terminal to ask for confirmation\. Use --yes\. Nothing was written\.\n$/),
    })
    expect(out).toContain(args.length > 0 ? '"applied": false' : '8 new, 1 changed')
    expect(await findNamed('USER', ['acme'])).toBeUndefined()
    expect(await tool().ops(['apply', file, '--dry-run'])).toMatchObject({ code: 0 })
  })

  it('apply creates everything in a file, and shows the new secrets', async () => {
    const { code, out } = await tool().apply(COMPANY, ['--json'])
    const done = JSON.parse(out)
    expect(code).toBe(0)
    expect(done.ids.map(({ kind, name }: Record<string, string>) => `${kind} ${name}`)).toEqual([
      ...['DNCGROUP brands', 'AGENT voice', 'USER acme', 'LEADTYPE acme/solar', 'LEADTYPE acme/roofs', 'URL acme/partner'],
    ])
    expect(done.secrets.map(({ of }: Record<string, string>) => of)).toEqual(['agent voice', 'webhooks of user acme'])
    const acme = await readUser(await idOf('acme'))
    expect(acme).toMatchObject({ name: 'Acme', dnc_group: 'brands', lines: 5, default_lead_type: await idOf('acme', 'solar') })
    expect(acme!.webhook_secrets).toEqual([done.secrets[1].secret])
    expect(await typeOf('Solar')).toMatchObject({ agent: 'voice', cadence: { max_attempts: 6, transfer_unavailable_delay: 1800 } })
    expect(await getInboundNumber('+12125550150')).toMatchObject({ lead_type: await idOf('acme', 'solar') })
    expect(await sourcesOf(acme!.id)).toMatchObject([{ name: 'daily', lead_type: await idOf('acme', 'roofs') }])
    expect((await tool().ops(['get', 'litigators', '+12125550019', '+12125550018', '--json'])).out).toMatch(
      /0019",\s+"listed": true[\s\S]*0018",\s+"listed": false/,
    )
  })

  it('apply has nothing to do when it gets the same file again', async () => {
    const { out } = await tool().apply(COMPANY)
    expect(out).toBe('Nothing to do: 0 new, 0 changed, 0 removed, 9 unchanged.\n')
  })

  it('apply changes only the settings that the file names', async () => {
    const id = await idOf('acme')
    await changeSecrets(id, null, () => ({ webhook_secrets: ['whsec_new', 'whsec_old'], older_secret_until: 5 }))
    const { code, out } = await tool().apply(`
users:
  - key: acme
    lines: 7
    throttle: { burst_per_minute: 30 }
    lead_types: [{ key: solar, cadence: { delays: [90] } }]
`)
    expect({ code, out }).toEqual({
      code: 0,
      out: [
        '~ lead type acme/solar',
        '    cadence.delays: [1800,7200,14400,86400] → [90]',
        '~ user acme',
        '    lines: 5 → 7',
        '    throttle: none → {"sustained_per_day":100000,"burst_per_minute":30}',
        '',
        '0 new, 2 changed, 0 removed, 0 unchanged',
        'Applied.',
        '',
      ].join('\n'),
    })
    expect(await readUser(id)).toMatchObject({
      lines: 7,
      dnc_group: 'brands',
      webhook_secrets: ['whsec_new', 'whsec_old'],
      older_secret_until: 5,
    })
    expect(await typeOf('Solar')).toMatchObject({ cadence: { delays: [90], max_attempts: 6 }, inbound_numbers: ['+12125550150'] })
  })

  it('apply resets a setting that is null in the file', async () => {
    await tool().apply('users: [{ key: acme, lines: null, throttle: null, default_lead_type: null }]')
    expect(await readUser(await idOf('acme'))).toMatchObject({ lines: 10, default_lead_type: null })
    expect((await readUser(await idOf('acme')))!.throttle).toBeUndefined()
  })

  it('apply moves an inbound number to another lead type, even in exchange for another number', async () => {
    const numbers = (solar: string, roofs: string) =>
      `users: [{ key: acme, lead_types: [{ key: solar, inbound_numbers: ['${solar}'] }, { key: roofs, inbound_numbers: ['${roofs}'] }] }]`
    await tool().apply(numbers('+12125550150', '+12125550151'))
    expect((await tool().apply(numbers('+12125550151', '+12125550150'))).code).toBe(0)
    expect(await getInboundNumber('+12125550150')).toMatchObject({ lead_type: await idOf('acme', 'roofs') })
    expect(await getInboundNumber('+12125550151')).toMatchObject({ lead_type: await idOf('acme', 'solar') })
  })

  it('apply gives keys to existing users and lead types', async () => {
    const yaml = 'users: [{ key: first, id: 1, lead_types: [{ key: campaign, id: 4, script: Hello }] }]'
    expect((await tool().apply(yaml)).out).toContain('~ lead type first/campaign\n    script: none → Hello\n~ user first\n')
    expect(await idOf('first', 'campaign')).toBe(4)
    expect((await tool().apply(yaml)).out).toContain('2 unchanged')
    expect((await tool().apply(yaml.replace('id: 1', 'id: 2'))).err).toContain(
      'users[first].id: first already has the id 1, which cannot change.',
    )
  })

  it('apply removes the settings that the file lists under remove', async () => {
    const yaml = 'remove: { sources: [acme/daily, acme/none], ingestion_urls: [acme/partner], litigators: ["+12125550019"] }'
    const { out } = await tool().apply(yaml)
    expect(out).toContain('- source acme/daily\n- ingestion URL acme/partner\n- litigators 1 number\n')
    expect(out).toContain('There is no source acme/none. There is nothing to remove.')
    expect(out).toMatch(/\nApplied\.\nRemoved: source acme\/daily, ingestion URL acme\/partner, 1 number from the litigators\.\n/)
    expect((await tool().apply(yaml)).out.split('\n')).toEqual([
      ...['+12125550019 is not on the list of litigators', 'There is no source acme/daily', 'There is no source acme/none'].map(
        (what) => `${what}. There is nothing to remove.`,
      ),
      'There is no ingestion URL acme/partner. There is nothing to remove.',
      'Nothing to do: 0 new, 0 changed, 0 removed, 0 unchanged.',
      '',
    ])
    expect(await sourcesOf(await idOf('acme'))).toEqual([])
    expect(await findNamed('URL', ['acme', 'partner'])).toBeUndefined()
    expect((await tool().apply(yaml)).out).toContain('Nothing to do')
  })

  it('apply writes nothing when the settings changed while the operator was asked', async () => {
    const answer = async () => {
      await tool().apply('users: [{ key: acme, lines: 8 }]')
      return 'y'
    }
    const { code, err } = await tool().apply('users: [{ key: acme, lines: 9 }]', [], { answer })
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('has changed since the plan was shown') })
    expect(await readUser(await idOf('acme'))).toMatchObject({ lines: 8 })
  })

  it('apply changes nothing when the file is the output of get, which hides secrets', async () => {
    const { out } = await tool().ops(['get', '--yaml'])
    expect(out).not.toContain('whsec')
    expect((await tool().apply(out)).out).toMatch(/^Nothing to do: 0 new, 0 changed, 0 removed, \d+ unchanged/m)
  })
})

describe('secrets', () => {
  it('apply takes secrets from the environment, and never shows them', async () => {
    const secret = `whsec_${'A'.repeat(32)}`
    process.env['OPS_SECRET'] = secret
    const { code, out } = await tool().apply(`agents: [{ key: voice, secrets: ["${variable('OPS_SECRET')}"] }]`)
    delete process.env['OPS_SECRET']
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('~ agent voice\n    secrets: ["whsec_…"] → ["whsec_…"]\n') })
    expect(await readAgent('voice')).toMatchObject({ url: 'https://voice.example.com/', secrets: [secret] })
  })

  it('apply creates a calendar with its secrets, which stay until they are removed', async () => {
    const calendar = (settings: string) => `users: [{ key: acme, lead_types: [{ key: solar, calendar: { ${settings} } }] }]`
    expect((await tool().apply(calendar('url: https://calendar.example.com/'))).out).toContain('calendar of lead type acme/solar: whsec_')
    const made = (await typeOf('Solar')).calendar
    expect((await tool().apply(calendar('url: https://other.example.com/'))).out).not.toContain('shown only this once')
    expect((await typeOf('Solar')).calendar).toEqual({ ...made, url: 'https://other.example.com/' })
    await tool().apply(calendar('secret: null'))
    expect((await typeOf('Solar')).calendar?.secret).toBeNull()
  })
})

describe('a file of litigators', () => {
  it('a file of litigators has one number per line, and its mistakes name the line', async () => {
    const file = join(tool().directory, 'litigators.txt')
    await writeFile(file, '# who sues\n(212) 555-0031 # twice\n  +12125550032\n')
    expect((await tool().apply('litigators: { file: litigators.txt }')).out).toContain(
      '+ litigators 2 numbers\n    numbers: ["+12125550031","+12125550032"]\n',
    )
    await writeFile(file, '+12125550031\n  nobody\n')
    expect((await tool().apply('litigators: { file: litigators.txt }')).err).toContain(
      'litigators.txt:2:3: nobody: The phone number entered is not valid. It has no digits. ',
    )
  })
})

describe('the output of a command', () => {
  it('keys issue says that it shows the key only once, but not to a program', async () => {
    await tool().apply(COMPANY)
    expect((await tool().ops(['keys', 'issue', 'acme'])).err).toBe('This is the only time that the key is shown.\n')
    expect((await tool().ops(['keys', 'issue', 'acme', '--json'])).err).toBe('')
  })

  it('the output of an ops command ends with exactly one line break', async () => {
    const { ops } = tool()
    await tool().apply(COMPANY)
    expect((await ops(['keys', 'issue', 'acme'])).out).toMatch(/^lok_[0-9A-Za-z]{38}\n$/)
    for (const args of [
      ['keys', 'issue', 'acme', '--json'],
      ['keys', 'list', 'acme'],
      ['get', 'users'],
      ['get', '--yaml'],
      ['get', '--json'],
    ]) {
      expect((await ops(args)).out).toMatch(/[^\n]\n$/)
    }
  })
})
