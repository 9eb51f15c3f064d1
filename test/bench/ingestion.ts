import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb'
import { createTables } from '#lib/local/engines/tables.ts'
import type { TableSpec } from '#lib/local/model.ts'
import { inLanes } from '#shared/platform/lanes.ts'
import { startBucketEngine } from '#test/support/bucket-engine.ts'
import { serviceTable } from '#test/support/engine.ts'
import { startWorld } from '#test/support/world.ts'

/** Costs of a file's rows next to their transactions alone, on the same engine. */
export interface IngestionRates {
  /** Rows per second of a file in which each row creates a lead. */
  readonly rows: number
  /** Transactions per second, when the same ones are prepared in advance. */
  readonly transactions: number
  /** `rows` divided by `transactions`, in one round. */
  readonly ratio: number
  /** Rows per second when the same file is sent again and nothing changes. */
  readonly unchanged: number
  /** Shares of the time per row. */
  readonly shares: { readonly parse: number; readonly map: number; readonly match: number; readonly write: number }
}

/** Concurrent writes, as many as the function's. */
const AT_ONCE = 64

/** Rounds before measuring, to compile the code. Reading a file runs far more code than the transactions alone. */
const WARMING = 2

const secondsFor = async (run: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await run()
  return (performance.now() - started) / 1000
}

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

/** Leaves the stream out: the local engine writes more slowly the longer it is. */
const withoutStream = ({ createTable: { StreamSpecification, ...createTable }, ...spec }: TableSpec): TableSpec => ({
  ...spec,
  createTable,
})

/** Seconds of each part of a round. */
type Round = Record<'rows' | 'transactions' | 'unchanged' | 'parse' | 'map' | 'match', number>

/** @param rounds with `rows` rows each. Both ways take turns, so that other load on the machine affects both. */
export const ingestionRates = async (rounds: number, rows: number): Promise<IngestionRates> => {
  const [world, bucket] = await Promise.all([startWorld(), startBucketEngine()])
  const { client } = await import('#shared/platform/table/client.ts')
  const { aSource, csv, ingested } = await import('#test/support/uploads.ts')
  const { stopStream } = await import('#test/simulation/page-cost.ts')
  const { rowsFrom } = await import('#shared/uploads/rules/csv/rows.ts')
  const { openCsv } = await import('#shared/uploads/rules/csv/open.ts')
  const { readRow, rowReader } = await import('#shared/uploads/ingest/read-row.ts')
  const { readAhead } = await import('#shared/uploads/ingest/read-ahead.ts')
  const { getSource } = await import('#shared/ingestion/source-store.ts')
  const recorded: TransactWriteCommandInput[] = []
  const { send } = client
  client.send = ((command: { input: unknown }, ...rest: never[]) => {
    if (command instanceof TransactWriteCommand) recorded.push(command.input)
    return Reflect.apply(send, client, [command, ...rest])
  }) as typeof send
  const other = 'replayed'
  try {
    await createTables(world.engine.url, [withoutStream(serviceTable(other))])
    await stopStream()
    await aSource()
    const reader = rowReader((await getSource(1, 'demo'))!)
    const inRound = async (round: number): Promise<Round> => {
      const file = csv(
        Array.from(
          { length: rows },
          (_, row) => `b${round}-${row},Ada,+1808${2_000_000 + round * rows + row},b${round}.${row}@example.com,HI,`,
        ),
      )
      const bytes = Buffer.from(file)
      const opened = openCsv(bytes.subarray(0, 65_536), bytes.length < 65_536, {
        filename: 'a.csv',
        source: 'demo',
        columns: ['Lead ID'],
        decisive: ['Lead ID'],
        fields: [],
        needed: { names: ['Lead ID'], purpose: 'to find leads' },
      })
      if ('refusal' in opened) throw new Error(opened.refusal)
      const parsed: Parameters<typeof readRow>[1][] = []
      const parse = await secondsFor(async () => {
        for await (const row of rowsFrom(
          (async function* () {
            yield bytes.subarray(opened.dialect.start.offset)
          })(),
          opened.dialect,
        ))
          if (!('isEmpty' in row)) parsed.push(row)
      })
      const read: ReturnType<typeof readRow>[] = []
      const map = await secondsFor(async () => void read.push(...parsed.map((row) => readRow(reader, row))))
      const inputs = read.flatMap((row) => ('input' in row ? [row.input] : []))
      const match = await secondsFor(async () => {
        for (let at = 0; at < inputs.length; at += 250) await readAhead(1, reader.lookup, inputs.slice(at, at + 250), false)
      })
      recorded.length = 0
      const taken = await secondsFor(async () => {
        const upload = await ingested(file)
        if (upload.created !== rows) throw new Error(`Of ${rows} rows ${upload.created} made leads: ${upload.error}`)
      })
      const writes = recorded.filter(({ TransactItems }) => TransactItems!.length > 2)
      if (writes.length < rows) throw new Error(`Of ${rows} rows ${writes.length} were written with what finds their leads.`)
      const commands = writes.map(
        ({ TransactItems }) =>
          new TransactWriteCommand({
            TransactItems: TransactItems!.map((item) =>
              Object.fromEntries(Object.entries(item).map(([kind, write]) => [kind, { ...write, TableName: other }])),
            ) as never,
          }),
      )
      const replayed = await secondsFor(() => inLanes(AT_ONCE, commands, (command) => Reflect.apply(send, client, [command])))
      const transactions = (replayed / commands.length) * rows
      return { rows: taken, transactions, unchanged: await secondsFor(() => ingested(file)), parse, map, match }
    }
    const measured: Round[] = []
    for (let round = 0; round < WARMING + rounds; round++) {
      const taken = await inRound(round)
      if (round >= WARMING) measured.push(taken)
    }
    const of = (what: keyof Round): number => median(measured.map((round) => round[what]))
    const part = (seconds: number): number => Math.round((seconds / of('rows')) * 100) / 100
    const [parse, map, match] = [part(of('parse')), part(of('map')), part(of('match'))]
    return {
      rows: Math.round(rows / of('rows')),
      transactions: Math.round(rows / of('transactions')),
      ratio: Math.round(median(measured.map((round) => round.transactions / round.rows)) * 100) / 100,
      unchanged: Math.round(rows / of('unchanged')),
      shares: { parse, map, match, write: Math.round((1 - parse - map - match) * 100) / 100 },
    }
  } finally {
    client.send = send
    await Promise.all([world.stop(), bucket.stop()])
  }
}
