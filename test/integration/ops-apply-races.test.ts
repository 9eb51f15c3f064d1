import { describe, expect, it } from '@jest/globals'
import { findNamed } from '#shared/accounts/names.ts'
import { readUser } from '#shared/accounts/user-store.ts'
import { readAgent } from '#shared/agents/agent-store.ts'
import { reserveIds } from '#shared/platform/ids/ids.ts'
import { opsWorld } from '#test/support/ops-world.ts'
import { watchCommands } from '#test/support/uploads.ts'

// The world has given itself ids.
const { tool } = opsWorld({ prepare: () => reserveIds(100) })

const secretsIn = ({ out, err }: { readonly out: string; readonly err: string }): string[] => `${out}${err}`.match(/whsec_[\w+/=]+/g) ?? []

/** Two at once; what they tell of secrets, and those that are stored. */
const race = async (yaml: string, stored: () => Promise<readonly (string | undefined)[]>) => {
  const both = await Promise.all([tool().apply(yaml), tool().apply(yaml)])
  expect(both.flatMap(secretsIn).toSorted()).toEqual((await stored()).toSorted())
  expect(both.some(({ code }) => code === 0)).toBe(true)
  const others = both.filter(({ code }) => code !== 0)
  expect(others.map(({ err }) => err)).toEqual(
    others.map(() => expect.stringMatching(/Somebody else has just set up .+\. Apply the file again\./)),
  )
}

const secretsOfUser = async (key: string) => (await readUser(Number(await findNamed('USER', [key]))))!.webhook_secrets

describe('an interrupted or concurrent apply', () => {
  it('apply shows the stored secrets when two runs create the same users', () =>
    race('users: [{ key: ann, name: Ann }, { key: ben, name: Ben }]', async () => [
      ...(await secretsOfUser('ann')),
      ...(await secretsOfUser('ben')),
    ]))

  it('apply shows the stored secrets when two runs create the same agent', () =>
    race('agents: [{ key: voice, url: https://voice.example.com/ }]', async () => (await readAgent('voice'))!.secrets))

  const writesUser = (name: string) => (input: string) => input.includes('whsec_') && input.includes(`"${name}"`)

  /** Applies a file, and fails where something is written. */
  const cutShort = async (isWrite: (input: string) => boolean, yaml: string, ...args: readonly string[]) => {
    const commands = watchCommands()
    const said: Awaited<ReturnType<ReturnType<typeof tool>['apply']>>[] = []
    await commands.killed(
      ({ input }) => isWrite(JSON.stringify(input)),
      async () => {
        said.push(await tool().apply(yaml, args))
      },
    )
    commands.stop()
    return said[0]!
  }

  it('an interrupted apply shows secrets apart that may not be stored', async () => {
    const told = await cutShort(writesUser('Dan'), 'users: [{ key: cat, name: Cat }, { key: dan, name: Dan }]')
    expect(told.err).toMatch(
      /1 secret created, shown only this once:\n {2}webhooks of user cat: whsec_\S+\n\nCreated, shown only this once, but perhaps not stored/,
    )
    expect(secretsIn(told)).toEqual([...(await secretsOfUser('cat')), expect.any(String)])
  })

  it('an interrupted apply shows secrets and written changes in its JSON output', async () => {
    const { code, out } = await cutShort(writesUser('Fay'), 'users: [{ key: eve, name: Eve }, { key: fay, name: Fay }]', '--json')
    expect(code).toBe(1)
    const [secret] = await secretsOfUser('eve')
    expect(JSON.parse(out)).toEqual({
      error: expect.any(String),
      applied: false,
      written: [{ change: 'new', kind: 'user', name: 'eve' }],
      ids: [
        { kind: 'USER', name: 'eve', id: Number(await findNamed('USER', ['eve'])) },
        { kind: 'USER', name: 'fay', id: Number(await findNamed('USER', ['fay'])) },
      ],
      secrets: [{ of: 'webhooks of user eve', secret }],
      unclear: {
        changes: [{ change: 'new', kind: 'user', name: 'fay' }],
        secrets: [{ of: 'webhooks of user fay', secret: expect.stringMatching(/^whsec_/) }],
      },
    })
  })
  it('an interrupted apply shows what it had removed', async () => {
    await tool().apply('agents: [{ key: one, url: https://one.example.com/ }, { key: two, url: https://two.example.com/ }]')
    const removesTwo = (input: string) => /"Key":\{"pk":"[^"]*\btwo"/.test(input)
    const { code, err } = await cutShort(removesTwo, 'remove: { agents: [one, two] }')
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('resumes from there.\nRemoved: agent one.\n') })
  })
})
