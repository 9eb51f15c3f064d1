import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { opsProcess, toolProcess } from '#test/support/ops-process.ts'
import { type Service, startService, until } from '#test/support/service.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const EXAMPLE = join(ROOT, 'lib/ops/examples/company.yaml')

let service: Service
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ops-'))
  // 11:00 on a Friday in New York.
  service = await startService(['--memory', '--port', '0', '--now', '2026-11-20T16:00:00Z'])
})
afterAll(async () => {
  await service?.end()
  await rm(folder, { recursive: true, force: true })
})

const ops = (...args: string[]) => opsProcess(dirname(service.operatorFile), args)

/** The example file with changes. */
const changed = async (...changes: readonly (readonly [from: string, to: string])[]): Promise<string> => {
  const file = join(folder, 'company.yaml')
  const text = await readFile(EXAMPLE, 'utf8')
  for (const [from] of changes) expect(text).toContain(from)
  await writeFile(
    file,
    changes.reduce((changing, [from, to]) => changing.replace(from, to), text),
  )
  return file
}

const setUp = async () => (await ops('get', '--json')).out

describe('a small company on an empty service', () => {
  it('the ops tool sets up a small company from a file and changes it, and a mistake in the file changes nothing', async () => {
    const first = await ops('apply', EXAMPLE, '--yes')
    expect(first).toMatchObject({ code: 0, err: '', out: expect.stringContaining('6 new, 0 changed, 0 removed, 0 unchanged\nApplied.') })

    const { key } = JSON.parse((await ops('keys', 'issue', 'acme', '--name', 'crm', '--json')).out)
    const lead = await service.call('POST', '/api/leads/', { phone_number: '+12125550001', timezone: 'America/New_York' }, key)
    expect(lead).toMatchObject({ status: 201, body: { lead_type: Number(/solar: (\d+)/.exec(first.out)?.[1]) } })
    const ended = await until(
      () => service.call('GET', `/api/leads/${lead.body.id}/`, undefined, key),
      ({ body }) => body.status === 'CLOSED',
    )
    expect(ended.body).toMatchObject({ status: 'CLOSED', status_detail: 'warm_transfer' })

    const again = await changed(['lines: 5', 'lines: 7'], ['max_attempts: 6', 'max_attempts: 5'])
    expect(await ops('apply', again, '--yes')).toEqual({
      code: 0,
      err: '',
      out: expect.stringMatching(
        /^~ lead type acme\/solar\n {4}cadence\.max_attempts: 6 → 5\n~ user acme\n {4}lines: 5 → 7\n(Warning: .*\n)+\n0 new, 2 changed, 0 removed, 4 unchanged\nApplied\.\n$/,
      ),
    })
    const { out: before } = await ops('get', '--json')

    const mistaken = await changed(
      ['lines: 5', 'lines: 9'],
      ['agent: simulator\n        # A lead without', 'agent: simulatr\n        # A lead without'],
    )
    const line = (await readFile(mistaken, 'utf8')).split('\n').findIndex((text) => text.includes('simulatr')) + 1
    expect(await ops('apply', mistaken, '--yes')).toEqual({
      code: 1,
      out: '',
      err: `${mistaken}:${line}:16: users[acme].lead_types[windows].agent: There is no agent simulatr in this file or in the service. Did you mean simulator?\n1 mistake: nothing was written.\n`,
    })
    expect(await setUp()).toEqual(before)
  })

  it('a key of a user works until the ops tool revokes it', async () => {
    const issued = JSON.parse((await ops('keys', 'issue', 'acme', '--json')).out)
    expect((await service.call('GET', '/api/users/me/', undefined, issued.key)).status).toBe(200)
    expect((await ops('keys', 'list', 'acme')).out).toContain(issued.id)
    expect(await ops('keys', 'revoke', issued.id)).toMatchObject({ code: 0, out: `Key ${issued.id} is revoked.\n` })
    const refused = await until(
      () => service.call('GET', '/api/users/me/', undefined, issued.key),
      ({ status }) => status === 401,
    )
    expect(refused.status).toBe(401)
  })
})

describe('the ops tool', () => {
  it.each([
    [['aply', 'x'], 2, "error: unknown command 'aply'\n(Did you mean apply?)\nSee --help.\n"],
    [['get', 'useers'], 2, /^There is no list useers\. Choose one of: users, /],
    [['keys', 'issue', 'nobody'], 1, 'There is no user nobody. See: npm run ops -- get users\n'],
    [['keys', 'revoke', '1-0000000000'], 1, 'There is no key 1-0000000000. See: npm run ops -- keys list USER\n'],
  ])('the ops tool refuses %j', async (args, code, err) => {
    expect(await ops(...args)).toEqual({ code, out: '', err: typeof err === 'string' ? err : expect.stringMatching(err) })
  })

  it('the ops tool says that no local service runs on a directory', async () => {
    const tool = spawn(process.execPath, ['bin/ops.ts', 'get', '--data', folder], { cwd: ROOT, stdio: ['ignore', 'ignore', 'pipe'] })
    let err = ''
    tool.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text
    })
    expect(await once(tool, 'close')).toEqual([1, null])
    expect(err).toContain(`No local service runs on ${folder}. Start it with npm start`)
  })

  it('the ops tool prints its output without lines of the log between', async () => {
    const phone = { phone_number: '+16175550003' }
    expect((await service.call('POST', '/api/dnc/', phone)).status).toBe(201)
    expect((await service.call('POST', '/api/leads/', { ...phone, us_state: 'MA' })).status).toBe(201)
    const lift = ['dnc', 'lift', phone.phone_number, '--owner', 'demo', '--reason', 'Asked for calls again', '--yes', '--json']
    // The tests silence the log. Operators do not.
    const env = { ...process.env, POWERTOOLS_LOG_LEVEL: 'INFO' }
    const lifted = await toolProcess([...lift, '--data', dirname(service.operatorFile)], env)
    expect({ code: lifted.code, err: lifted.err, ...JSON.parse(lifted.out) }).toMatchObject({ code: 0, err: '', lifted: true })
  })
})
