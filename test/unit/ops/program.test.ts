import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { runOps } from '#lib/ops/program.ts'

/** A folder that no service uses. */
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ops-'))
})
afterAll(() => rm(folder, { recursive: true }))

const ops = async (...args: readonly string[]) => {
  const said = { out: '', err: '' }
  const code = await runOps([...args, '--data', folder], {
    environment: {},
    print: (text) => {
      said.out += text
    },
    note: (text) => {
      said.err += text
    },
  })
  return { code, ...said }
}

const NOT_RUNNING = /^No local service runs on .*\n$/

describe('a failed command', () => {
  it('a failed ops command prints its error on standard error only', async () => {
    expect(await ops('get', 'users')).toEqual({ code: 1, out: '', err: expect.stringMatching(NOT_RUNNING) })
  })

  it('a failed ops command with --json also prints its error as a JSON document', async () => {
    const { code, out, err } = await ops('get', 'users', '--json')
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(NOT_RUNNING) })
    expect(JSON.parse(out)).toEqual({ error: err.trimEnd() })
  })
})

describe('a mistake in the command', () => {
  it.each([[['gte', '--json']], [['due', '--json', '--owner']], [['redrive', 'calls', '--limit', '0', '--json']]])(
    'a mistake in an ops command prints no JSON document: %j',
    async (args) => {
      expect(await ops(...args)).toEqual({ code: 2, out: '', err: expect.stringContaining('See --help.') })
    },
  )

  it.each([
    [['keys', 'issue', 'acme', '--name', 'a\nb'], /^--name must be one line of at most 100 characters, and not blank\.\n$/],
    [['keys', 'issue', 'acme', '--name', ' '], /^--name must be one line of at most 100 characters, and not blank\.\n$/],
    [['keys', 'issue', 'acme', '--staff'], /^A key has no rights of its own\. Set "is_staff: true" on the user in your YAML file/],
    [['due', '--within', 'soon'], /^--within must be a number of minutes, hours or days/],
    [['due', '--within', '5x'], /^--within must be a number of minutes, hours or days.* not 5x\.\n$/],
    [['due', '--within', '0h'], /^--within .* not 0h\.\n$/],
    [['lead', 'explain', '54', '--at', 'garbage'], /^--at: Datetime has wrong format\./],
    [['lead', 'explain', '54', '--at', ''], /^--at: Datetime has wrong format\./],
    [['get', 'ingestion-urls'], /^There is no list ingestion-urls\. Choose one of: users, .*, urls, .*, emergencies\.\n$/],
    [['get', 'users', '+12125550001'], /^Only "get litigators" accepts more words: the numbers to look up\.\n$/],
    [['get', '--yaml', '--json'], /^--yaml prints everything/],
    [['repair', 'line-held', '1/4711-2', '--all'], /^--all repairs everything that check finds/],
  ])('a mistake in an ops command is reported before the tool looks for the service: %j', async (args, mistake) => {
    expect(await ops(...args)).toEqual({ code: 2, out: '', err: expect.stringMatching(mistake) })
  })

  it('a valid duration or time in an ops command is no mistake', async () => {
    expect(await ops('due', '--within', '90m')).toMatchObject({ code: 1, err: expect.stringMatching(NOT_RUNNING) })
    expect(await ops('lead', 'explain', '54', '--at', '2026-11-20T18:00:00-05:00')).toMatchObject({ code: 1 })
  })
})
