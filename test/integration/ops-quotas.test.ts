import { afterEach, describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { QUOTAS } from '#lib/ops/quotas/quotas.ts'
import { PUBLISHED, startAccount } from '#test/support/aws-account.ts'
import { DOCUMENTS } from '#test/support/guides.ts'

type Account = Awaited<ReturnType<typeof startAccount>>

const accounts: Account[] = []
afterEach(async () => {
  await Promise.all(accounts.splice(0).map((account) => account.close()))
})

const start = async (...given: Parameters<typeof startAccount>): Promise<Account> => {
  const account = await startAccount(...given)
  accounts.push(account)
  return account
}

const COMMAND = ['quotas', '--target', 'aws']

const ENOUGH = { ...PUBLISHED, lambda: [{ QuotaCode: 'L-B99A9384', Value: 1_000 }] }

const Report = v.object({
  load: v.record(v.string(), v.number()),
  quotas: v.array(
    v.object({
      service: v.string(),
      name: v.string(),
      code: v.nullable(v.string()),
      value: v.nullable(v.number()),
      source: v.nullable(v.string()),
      needed: v.number(),
      why: v.string(),
      ok: v.nullable(v.boolean()),
      raise: v.nullable(v.string()),
    }),
  ),
  settings: v.array(v.object({ name: v.string(), default: v.number(), needed: v.number(), problem: v.nullable(v.string()) })),
})

const reportIn = (out: string) => v.parse(v.pipe(v.string(), v.parseJson(), Report), out)

const quotaIn = (out: string, code: string) => reportIn(out).quotas.find((quota) => quota.code === code)

describe('the quotas of an account', () => {
  it('the command shows each quota with the need of the load, and how to raise a low one', async () => {
    const { ops } = await start()
    const { code, out, err } = await ops([...COMMAND, '--region', 'eu-west-1'])
    expect({ code, err }).toEqual({ code: 1, err: '' })
    expect(out).toMatch(/^QUOTA +CODE +VALUE +NEEDED +RESULT +WHY$/m)
    expect(out).toMatch(/^Lambda: Concurrent executions +L-B99A9384 +10 \(default\) +\d+ +TOO LOW +\S/m)
    expect(out).toMatch(/^DynamoDB: Table-level write throughput limit +L-AB614373 +40,000 \(default\) +[\d,]+ +OK +\S/m)
    expect(out).toMatch(/^SQS: In-flight messages per standard queue +no code +120,000 \(documented\) +3,000 +OK +\S/m)
    expect(out).toMatch(
      /\n {2}aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value \d+ --region eu-west-1\n/,
    )
    expect(out.match(/request-service-quota-increase/g)).toHaveLength(1)
  })

  it('the command ends with 0 when all quotas are high enough for the load', async () => {
    const { ops, asked } = await start({ applied: ENOUGH })
    const { code, out } = await ops([...COMMAND, '--json'])
    expect(code).toBe(0)
    expect(reportIn(out).quotas.map(({ ok }) => ok)).toEqual(reportIn(out).quotas.map(() => true))
    expect(quotaIn(out, 'L-B99A9384')).toMatchObject({ service: 'lambda', value: 1_000, source: 'applied', raise: null })
    expect(asked).toEqual(['lambda', 'apigateway', 'dynamodb', 'events', 'kms'].map((service) => `ListServiceQuotas ${service}`))
  })

  it("a quota has AWS's default where the account has no value of its own", async () => {
    const { ops, asked } = await start({ applied: { ...ENOUGH, dynamodb: [{ QuotaCode: 'L-CF0CBE56', Value: 80_000 }] } })
    const { out } = await ops([...COMMAND, '--json'])
    expect(quotaIn(out, 'L-CF0CBE56')).toMatchObject({ value: 80_000, source: 'applied' })
    expect(quotaIn(out, 'L-AB614373')).toMatchObject({ value: 40_000, source: 'default' })
    expect(asked.filter((request) => request.startsWith('ListAWSDefault'))).toEqual(['ListAWSDefaultServiceQuotas dynamodb'])
  })

  it("a quota has AWS's default where the account's value cannot be read, and a message says so", async () => {
    const ErrorReason = { ErrorCode: 'DEPENDENCY_ACCESS_DENIED_ERROR', ErrorMessage: 'no' }
    const { ops } = await start({ applied: { ...ENOUGH, kms: [{ QuotaCode: 'L-6E3AF000', Value: 7, ErrorReason }] } })
    const { code, out, err } = await ops([...COMMAND, '--json'])
    expect(code).toBe(0)
    expect(quotaIn(out, 'L-6E3AF000')).toMatchObject({ value: 100_000, source: 'default', ok: true })
    expect(err).toBe(
      "Service Quotas could not read the account's value of L-6E3AF000 (DEPENDENCY_ACCESS_DENIED_ERROR). Its default is shown instead.\n",
    )
  })

  it('a quota is found on any page, and no page is read after the last needed quota', async () => {
    const others = Array.from({ length: 5 }, (_, at) => ({ QuotaCode: `L-0000000${at}`, Value: at }))
    const { ops, asked } = await start({ applied: { ...ENOUGH, lambda: [...others, ...ENOUGH.lambda, ...others] }, page: 2 })
    const { code, out } = await ops([...COMMAND, '--json'])
    expect(code).toBe(0)
    expect(quotaIn(out, 'L-B99A9384')).toMatchObject({ value: 1_000, source: 'applied' })
    expect(asked.filter((request) => request === 'ListServiceQuotas lambda')).toHaveLength(3)
  })

  it('a quota is unknown where AWS does not list it in the region', async () => {
    const { ops } = await start({ applied: { ...ENOUGH, events: [] }, published: {} })
    const { code, out } = await ops(COMMAND)
    expect(code).toBe(0)
    expect(out).toMatch(/^EventBridge: PutEvents throttle limit in transactions per second +L-9B653E91 +unknown +[\d,]+ +UNKNOWN +\S/m)
  })
})

describe('Service Quotas that answers with an error', () => {
  const RATE = { type: 'TooManyRequestsException', message: 'Rate exceeded' }

  it('Service Quotas is asked again after it has throttled a request', async () => {
    const { ops, asked } = await start({ applied: ENOUGH, fail: (_, count) => (count <= 2 ? RATE : undefined) })
    expect(await ops([...COMMAND, '--json'])).toMatchObject({ code: 0, err: '' })
    expect(asked.filter((request) => request === 'ListServiceQuotas lambda')).toHaveLength(3)
  })

  it.each(['ListServiceQuotas', 'ListAWSDefaultServiceQuotas'])('a refusal by AWS names the permission for %s', async (refused) => {
    const message = 'User: arn:aws:iam::111122223333:user/ann@example.com is not authorized to perform this action'
    const { ops } = await start({
      fail: (operation) => (operation === refused ? { type: 'AccessDeniedException', message } : undefined),
    })
    expect(await ops(COMMAND)).toEqual({
      code: 1,
      out: '',
      err: `AWS refused to list the quotas of lambda. Allow servicequotas:${refused} to these credentials: the policy ServiceQuotasReadOnlyAccess of AWS includes it.\n`,
    })
  })

  it('the command ends when Service Quotas throttles several attempts', async () => {
    const { ops, asked } = await start({ fail: () => RATE })
    expect(await ops(COMMAND)).toEqual({
      code: 1,
      out: '',
      err: 'AWS throttles the requests for quotas: it refused 5 attempts to list those of lambda. Run the command again in a minute.\n',
    })
    expect(asked).toHaveLength(5)
  })
})

describe('the command without an account', () => {
  it('with --target local, the command prints the assumed load and its needs, and asks AWS for nothing', async () => {
    const { ops, asked } = await start()
    const { code, out, err } = await ops(['quotas'])
    expect({ code, err }).toEqual({
      code: 0,
      err: 'A local service has no quotas. Add --target aws to compare with those of your account.\n',
    })
    expect(out).toMatch(
      /^For the busiest second: 20 calls, 50 requests and 100 events, while 1 upload is read\.\n\nQUOTA +CODE +NEEDED +WHY\n/,
    )
    expect(out).toMatch(/^Lambda: Concurrent executions +L-B99A9384 +\d+ +\S/m)
    expect(asked).toEqual([])
  })
})

describe('the load', () => {
  const needed = async (...args: readonly string[]) => {
    const { ops } = await start()
    const { code, out } = await ops(['quotas', '--json', ...args])
    expect(code).toBe(0)
    return reportIn(out)
  }
  const none = ['--calls-per-second', '0', '--requests-per-second', '0', '--events-per-second', '0', '--uploads', '0']
  const byCode = ({ quotas }: Awaited<ReturnType<typeof needed>>) =>
    Object.fromEntries(quotas.map(({ service, code, needed }) => [code ?? service, needed]))

  it.each([
    [[], { 'L-8A5B8E43': 0, 'L-CF0CBE56': 0, 'L-AB614373': 0, 'L-9B653E91': 0, 'L-5540C5E3': 0, 'L-6E3AF000': 0 }],
    // A lead takes 3 read and 18 write units, and causes an event.
    [['--requests-per-second', '100'], { 'L-8A5B8E43': 100, 'L-CF0CBE56': 300, 'L-AB614373': 1_800, 'L-9B653E91': 100 }],
    // A call takes 34 and 35, and causes six reports and six events.
    [['--calls-per-second', '10'], { 'L-8A5B8E43': 60, 'L-CF0CBE56': 340, 'L-AB614373': 350, 'L-5540C5E3': 60, 'L-6E3AF000': 70 }],
    // A delivery takes 3.5 and 5.
    [['--events-per-second', '100'], { 'L-8A5B8E43': 0, 'L-CF0CBE56': 350, 'L-AB614373': 500, 'L-6E3AF000': 100 }],
    // A run reads 200 rows a second, which take 4 and 16 units each. A file has up to eight lanes, and each has a run.
    [['--uploads', '1'], { 'L-CF0CBE56': 6_400, 'L-AB614373': 25_600, 'L-9B653E91': 1_600 }],
  ])('the load %j needs the counted units of the table, and its events', async (args, expected) => {
    expect(byCode(await needed(...none, ...args))).toMatchObject(expected)
  })

  it('a load of many uploads needs no more than the lanes that are read at the same time', async () => {
    expect(byCode(await needed(...none, '--uploads', '2'))).toEqual(byCode(await needed(...none, '--uploads', '50')))
  })

  it('even a small load needs the executions of all workers of queues', async () => {
    // 1 sweep, 50 calls, 50 and 20 deliveries, 20 for matching, 10 for updates, 5 for Amazon Connect.
    expect(byCode(await needed(...none))).toMatchObject({ 'L-B99A9384': 156 })
    // 8 for requests, and 4 each for the events and the statistics.
    expect(byCode(await needed(...none, '--requests-per-second', '100'))).toMatchObject({ 'L-B99A9384': 172 })
  })

  it('the command names the settings of the deployment that a load needs above their defaults', async () => {
    expect(await needed()).toMatchObject({ load: { calls_per_second: 20, uploads: 1 }, settings: [] })
    const { settings } = await needed('--calls-per-second', '1000', '--events-per-second', '3000')
    expect(settings).toEqual([
      { name: 'requestsPerSecond', default: 500, needed: 6_050, problem: null },
      { name: 'callConcurrency', default: 50, needed: 100, problem: null },
      { name: 'deliveryConcurrency', default: 50, needed: 90, problem: null },
      { name: 'warmReadUnits', default: 12_000, needed: 44_650, problem: null },
      { name: 'warmWriteUnits', default: 4000, needed: 50_900, problem: null },
    ])
  })

  it('the command says that one deployment cannot carry a very large load', async () => {
    const { ops } = await start()
    const { out } = await ops(['quotas', '--calls-per-second', '30000'])
    expect(out).toContain('callConcurrency=3000 (default 50). It must be at most 1000: one deployment cannot carry this load.\n')
  })

  it.each(['-1', 'many', '1e3', '10000001', ''])('the command refuses a load that is not a number: %j', async (text) => {
    const { ops } = await start()
    expect(await ops(['quotas', `--calls-per-second=${text}`])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('Write a number from 0 to 1000000, such as 20 or 0.5.'),
    })
  })
})

describe('the guide to deployment', () => {
  it('the guide to deployment lists the quotas that the command compares, with codes and reasons', () => {
    const guide = DOCUMENTS.find(({ path }) => path === 'docs/deploy.md')?.text ?? ''
    const section = guide.slice(guide.indexOf('## Quotas to raise'), guide.indexOf('## Amazon Connect'))
    const rows = section.split('\n').filter((line) => line.startsWith('| '))
    const cells = rows.map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    expect(cells.slice(2)).toEqual(
      QUOTAS.map(({ title, name, code, why }) => [`${title}: ${name}`, code === null ? 'no code' : `\`${code}\``, why]),
    )
  })
})
