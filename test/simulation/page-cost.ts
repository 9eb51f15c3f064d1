import { DynamoDBClient, UpdateTableCommand } from '@aws-sdk/client-dynamodb'
import { runCommand } from '#lib/command-line/command-line.ts'
import { send } from '#test/support/api-event.ts'
import { startEngine } from '#test/support/engine.ts'
import { numberOr, readFlags } from './flags.ts'
import { seedLeads } from './seed.ts'

export interface PageCost {
  readonly page: number
  readonly leads: number
  /** Read units of the whole request. */
  readonly read: number
  /** Read units that its leads alone would cost, with known ids. */
  readonly itemsAlone: number
  readonly milliseconds: number
}

const KEY = 'a-key-for-pages'

/** Measures what pages of a list cost. Uses the table of the environment, and creates the owner and a key. */
export const measurePages = async (owner: number, pages: readonly number[], pageSize: number): Promise<PageCost[]> => {
  const [{ handler }, { consumedUnits: consumed }, { getLeads }, { saveUser }, { saveApiKey }] = await Promise.all([
    import('#functions/leads/list.ts'),
    import('#shared/platform/table/consumed-units.ts'),
    import('#shared/leads/lead-store.ts'),
    import('#shared/accounts/user-store.ts'),
    import('#shared/accounts/api-key-store.ts'),
  ])
  await saveUser({ id: owner, name: 'Pages', is_staff: false, default_lead_type: 4, dnc_group: `${owner}`, lines: 1, webhook_secrets: [] })
  await saveApiKey(KEY, { user: owner, created_time: 0, revoked_time: null })
  const ask = (page: number) =>
    send(handler, {
      method: 'GET',
      query: { page: `${page}`, page_size: `${pageSize}` },
      headers: { Authorization: `Token ${KEY}` },
    })
  const measure = async (page: number) => {
    const [before, started] = [consumed.read, performance.now()]
    const { json } = await ask(page)
    const ids: number[] = json.results.map(({ id }: { id: number }) => id)
    return { ids, read: consumed.read - before, milliseconds: Math.round(performance.now() - started) }
  }
  const costs: PageCost[] = []
  for (const page of pages) {
    const { ids, ...once } = await measure(page)
    const again = await measure(page)
    const before = consumed.read
    await getLeads(ids, { consistent: false })
    // The cheaper one: functions read the key and the user only now and then, which is no cost of the page.
    const cheaper = again.read < once.read ? again : once
    costs.push({ page, leads: ids.length, read: cheaper.read, itemsAlone: consumed.read - before, milliseconds: cheaper.milliseconds })
  }
  return costs
}

/** Lists what is wrong: pages may differ by a tenth, and may cost 1.2 times their leads alone. */
export const tooDear = (costs: readonly PageCost[]): string[] => {
  const reads = costs.map(({ read }) => read)
  const spread = Math.max(...reads) / Math.min(...reads)
  return [
    ...(spread > 1.1 ? [`pages differ by a factor of ${spread.toFixed(2)}`] : []),
    ...costs
      .filter(({ read, itemsAlone }) => read > 1.2 * itemsAlone)
      .map(({ page, read, itemsAlone }) => `page ${page} costs ${read} units, its leads alone ${itemsAlone}`),
  ]
}

/** Stops the stream: the local engine writes more slowly the longer it is, and nobody reads it here. */
export const stopStream = async (): Promise<void> => {
  const client = new DynamoDBClient({})
  await client.send(new UpdateTableCommand({ TableName: process.env['TABLE_NAME'], StreamSpecification: { StreamEnabled: false } }))
  client.destroy()
}

export const USAGE = `Fills a table with leads of one user, and ends with 1 when a page of their list costs more than 1.2 times its leads, or one page more than
1.1 times another.

  npm run simulate -- page-cost [--leads 500000] [--holes 0] [--page-size 50]

  --leads N      in the list
  --holes N      places of deleted leads among them
  --page-size N  leads of a page
  --help         print this
`

const FLAGS = {
  leads: numberOr(500_000, [20_000, 5_000_000]),
  holes: numberOr(0, [0, 5_000]),
  'page-size': numberOr(50, [1, 100]),
}

const run = async ({ leads, holes, 'page-size': pageSize }: Record<keyof typeof FLAGS, number>): Promise<number> => {
  const engine = await startEngine()
  process.env['POWERTOOLS_LOG_LEVEL'] = 'SILENT'
  try {
    await stopStream()
    const started = performance.now()
    await seedLeads({ owner: 1, leads, holes, progress: (done) => void process.stderr.write(`\r${done} leads`) })
    process.stderr.write(` in ${Math.round((performance.now() - started) / 1000)} s\n`)
    const costs = await measurePages(1, [1, 100, Math.floor((leads - holes) / pageSize)], pageSize)
    console.table(costs)
    const faults = tooDear(costs)
    for (const fault of faults) process.stdout.write(`FAULT: ${fault}\n`)
    return faults.length === 0 ? 0 : 1
  } finally {
    await engine.stop()
  }
}

export const main = (args: readonly string[]): Promise<void> => runCommand(readFlags(args, FLAGS), USAGE, run)
