import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { KINDS } from '#lib/ops/check/kinds.ts'
import { LeadPositions } from '#lib/ops/check/lead-positions.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { NO_NEXT_CALL } from '#shared/calling/rules/next-call.ts'
import { getLead, leadItem, saveLead } from '#shared/leads/lead-store.ts'
import { dueAt } from '#shared/platform/keys.ts'
import { deleteItem, putItem } from '#shared/platform/table/table.ts'
import { agentCalls } from '#test/support/agent-calls.ts'
import { DAMAGE } from '#test/support/damage.ts'
import { created } from '#test/support/lead-requests.ts'
import { startOps } from '#test/support/ops.ts'
import { NOON } from '#test/support/samples.ts'
import type { Ground } from '#test/support/uncalled-damage.ts'
import { KEY, OTHER_KEY, startWorld } from '#test/support/world.ts'

let world: Awaited<ReturnType<typeof startWorld>>
let tool: Awaited<ReturnType<typeof startOps>>
const { queued, inCall, told } = agentCalls(() => world)

/** Nobody calls the other leads. */
const alone = async (): Promise<string> => {
  await queued()
  return (await inCall()).call
}

const ground: Ground = {
  lead: async (fields, isOther) => (await getLead((await created(fields, isOther ? OTHER_KEY : KEY)).id))!,
  call: alone,
  endedCall: async () => {
    const call = await alone()
    await told(call, 'call.completed', { outcome: 'no_answer' })
    return call
  },
}

beforeAll(async () => {
  world = await startWorld()
  tool = await startOps()
})
afterAll(async () => {
  await tool.stop()
  await world.stop()
})

interface Finding {
  readonly kind: string
  readonly where: string
  readonly message: string
  readonly command: string | null
}

const check = async () => {
  const { code, out } = await tool.ops(['check', '--json', '--again-after', '0'])
  const findings: Finding[] = JSON.parse(out).findings
  return { code, findings, locations: findings.map(({ kind, where }) => `${kind} ${where}`) }
}

/** The words of a command, as a shell reads them. */
const wordsOf = (command: string): string[] =>
  [...command.matchAll(/(?:'[^']*'|\\'|[^\s'])+/g)].map(([word]) => word.replaceAll(/'([^']*)'|\\'/g, (_, text) => text ?? "'"))

/** Runs a command of a finding in this process. */
const carryOut = (command: string) => {
  const [npm, run, ops, dashes, ...words] = wordsOf(command)
  expect([npm, run, ops, dashes]).toEqual(['npm', 'run', 'ops', '--'])
  return tool.ops(words)
}

describe('a table without damage', () => {
  it('check finds nothing wrong in a table without damage, even with calls in progress', async () => {
    await ground.lead({ email: 'Ann@example.com', external_id: 'crm-1' })
    await ground.call()
    await ground.endedCall()
    const { code, out } = await tool.ops(['check'])
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^Nothing is wrong: \d+ items looked at\.\n$/) })
  })
})

describe('damage', () => {
  const planted = new Map<string, string>()
  let found: Awaited<ReturnType<typeof check>>
  let dryRun: Awaited<ReturnType<typeof carryOut>>
  const repairs: { readonly kind: string; readonly code: number; readonly err: string; readonly out: string }[] = []
  let repaired: Awaited<ReturnType<typeof check>>

  /** Plants every kind of damage, and repairs all of it with the reported commands. The tests look at what these printed. */
  beforeAll(async () => {
    for (const [kind, plant] of Object.entries(DAMAGE)) planted.set(kind, `${kind} ${await plant(ground)}`)
    found = await check()
    dryRun = await carryOut(`${found.findings[0]!.command} --dry-run`)
    for (const { kind, command } of found.findings) repairs.push({ kind, ...(await carryOut(command!)) })
    repaired = await check()
  })

  it('check finds all damage, and names each location once', () => {
    const { findings } = found
    expect(found.code).toBe(1)
    expect(found.locations.toSorted()).toEqual([...planted.values()].toSorted())
    expect(findings.filter(({ message }) => !/^[A-Z].{40,}\.$/s.test(message))).toEqual([])
  })

  it('the tests plant every kind of damage that check knows', () => {
    expect([...Object.keys(DAMAGE), 'unreadable'].toSorted()).toEqual(KINDS.map(({ kind }) => kind).toSorted())
  })

  it('a dry run of repair leaves the damage alone', () => {
    const { out } = dryRun
    expect(out).toContain('Would repair it by adding it to OWNER#1#0: Lead ')
  })

  it('check reports damage with the command that repairs it', () => {
    expect(repairs).toHaveLength(planted.size)
    for (const { kind, ...done } of repairs) {
      expect({ kind, ...done }).toEqual({
        kind,
        code: 0,
        err: expect.stringMatching(/^(Reading .*\n)?$/),
        out: expect.stringMatching(/Repaired by (?!nothing)[a-z]+ing .*\.$/m),
      })
    }
    expect(repaired).toEqual({ code: 0, findings: [], locations: [] })
  })

  it('repair finds nothing wrong where it has already repaired', async () => {
    const { code, out } = await carryOut(found.findings[0]!.command!)
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('Nothing is wrong there.') })
  })

  it('repair gives a lead in an ended call its next call', async () => {
    const lead = (await getLead(Number(found.findings.find(({ kind }) => kind === 'lead-in-ended-call')!.where)))!
    expect(lead).toMatchObject({ current_call: null, next_call_time: expect.any(Number), due_list: 'CALL' })
    expect(await getCall(`${lead.id}-1`)).toMatchObject({ settled_time: expect.any(Number) })
  })

  it('repair --all repairs several kinds of damage at once', async () => {
    for (const kind of ['person-lacks-lead', 'position-empty', 'pointer-stray']) await DAMAGE[kind]!(ground)
    expect(await tool.ops(['repair', '--all', '--again-after', '0'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/(Repaired by [\s\S]*){3}/),
    })
    expect(await check()).toMatchObject({ code: 0 })
  })

  it('check finds a due entry of a lead without a next call', async () => {
    const lead = await ground.lead()
    await saveLead({ ...lead, ...NO_NEXT_CALL, status: 'CANCELLED', version: lead.version + 1 })
    await putItem({ ...leadItem((await getLead(lead.id))!), due_key: 'CALL#0', due_at: dueAt(NOON, 1, lead.owner) })
    const { locations, findings } = await check()
    expect(locations).toEqual([`due-in-vain lead/${lead.id}`])
    expect(await carryOut(findings[0]!.command!)).toMatchObject({ code: 0, out: expect.stringContaining('Repaired by ') })
    expect(await check()).toMatchObject({ code: 0 })
  })

  it('check reports damage even if no command repairs it', async () => {
    await putItem({ pk: 'LEAD#990009', sk: 'LEAD', id: 990009 })
    const { code, findings } = await check()
    expect({ code, findings }).toMatchObject({ code: 1, findings: [{ kind: 'unreadable', where: 'LEAD#990009/LEAD', command: null }] })
    expect((await tool.ops(['check', '--again-after', '0'])).out).toMatch(
      /No command can repair it\.\n\n1 finding of 1 kind\.\n\d+ items looked at\.\n$/,
    )
    await deleteItem({ pk: 'LEAD#990009', sk: 'LEAD' })
  })
})

describe('leads that change during a repair', () => {
  const LEADS = [
    'lead-not-listed',
    'position-twice',
    'person-lacks-lead',
    'person-email',
    'pointer-missing',
    'lead-called-in-vain',
    'lead-on-no-list',
    'lead-not-due',
  ]

  it.each(LEADS)('repair does not overwrite a lead that has changed meanwhile: %s', async (name) => {
    const kind = KINDS.find((known) => known.kind === name)!
    const where = `${await DAMAGE[name]!(ground)}`
    const damage = (await kind.look(where))!
    const lead = (await getLead(Number(where)))!
    const changed = { ...lead, representative: 7, version: lead.version + 1 }
    expect(await saveLead(changed)).toBe(true)
    expect(await damage.repair!(new LeadPositions({ ranges: [], note: () => {} }))).toBe(false)
    expect(await getLead(lead.id)).toEqual(changed)
    expect(await tool.ops(['repair', name, where])).toMatchObject({ code: 0 })
    expect(await kind.look(where)).toBeUndefined()
  })
})

describe('the command line', () => {
  it('the help of repair lists the kinds of damage that it accepts', async () => {
    const { code, err } = await tool.ops(['repair'])
    expect(code).toBe(2)
    for (const { kind, at } of KINDS) expect(err).toContain(`  ${kind} ${at}\n`)
  })

  it.each([
    [['--all', 'line-held', 'x'], '--all repairs everything that check finds. Use either --all or a kind of damage, not both.\n'],
    [['line-held'], 'Also name where it is, as check reports it: repair line-held OWNER/CALL\n'],
    [['line-hold'], 'line-hold is not a kind of damage. Did you mean line-held? See: npm run ops -- repair\n'],
    [['line-hold', 'x'], 'line-hold is not a kind of damage. Did you mean line-held? See: npm run ops -- repair\n'],
  ])('repair rejects the arguments %j', async (args, err) => {
    expect(await tool.ops(['repair', ...args])).toEqual({ code: 2, out: '', err })
  })

  it('repair rejects an unknown kind of damage and an invalid location', async () => {
    expect(await tool.ops(['repair', 'nothing', '1'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('nothing is not a kind of damage'),
    })
    expect(await tool.ops(['repair', 'line-held', 'x'])).toMatchObject({ code: 2, err: expect.stringContaining('such as 1/4711-2') })
    expect(await tool.ops(['repair', 'due-in-vain', 'cat/1'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('cat is not one of: '),
    })
    expect(await tool.ops(['repair', 'call-not-watched', 'x'])).toMatchObject({ code: 2, err: 'x is not a valid call id.\n' })
  })

  it.each([
    ['person-lacks-lead', ''],
    ['person-lacks-lead', '0'],
    ['person-lacks-lead', '1e3'],
    ['position-empty', '0/1-2'],
    ['hole-counts', '/0'],
  ])('repair rejects %s at the invalid location "%s"', async (kind, where) => {
    expect(await tool.ops(['repair', kind, where])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('is not a valid value for this kind'),
    })
  })

  it.each(['x', '-1', '1.5', ''])('check rejects --again-after %s', async (seconds) => {
    expect(await tool.ops(['check', `--again-after=${seconds}`])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('a whole number of seconds'),
    })
  })
})
