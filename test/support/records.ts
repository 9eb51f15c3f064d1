import { gunzipSync } from 'node:zlib'
import { beforeEach } from '@jest/globals'
import { getPiece } from '#shared/platform/bucket/bucket-pieces.ts'
import { DAY, SECOND } from '#shared/platform/values/durations.ts'
import { agentCalls } from './agent-calls.ts'
import { setClock } from './clock.ts'
import { opsWorld } from './ops-world.ts'
import { NOON } from './samples.ts'

const cellsOf = (line: string): string[] =>
  [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell = '']) =>
    cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
  )

/** The operator's tool and the files of records that it writes. Each test has a day of its own, and begins at noon in New York. */
export const recordsWorld = () => {
  const { world, tool } = opsWorld({ withBucket: true })
  let day = 0
  beforeEach(async () => {
    setClock(NOON + ++day * DAY)
    await world().queues.renew('CALL_QUEUE_URL')
  })
  const noon = (): number => NOON + day * DAY
  const today = (): string => new Date(noon()).toISOString().slice(0, 10)
  let folder = ''
  let runs = 0
  const records = async (from: string, to: string) => {
    const done = await tool().ops(['records', '--from', from, '--to', to])
    folder = /Written to s3:\/\/uploads\/(.*):/.exec(done.out)?.[1] ?? folder
    return done
  }
  const fileOf = (name: string): Promise<Buffer> => getPiece(`${folder}${name}`)
  return {
    ...agentCalls(world),
    ...{ tool, noon, today, records, fileOf },
    /** The folder of the latest run. */
    folder: () => folder,
    /** Writes the records of the test's day, once it is over. Each run begins a second later. */
    recordsOfToday: () => {
      setClock(noon() + DAY + ++runs * SECOND)
      return records(today(), today())
    },
    /** The rows of a file of the latest run, by the names of their columns. No cell has a line end. */
    rowsOf: async (file: string): Promise<Record<string, string>[]> => {
      const text = gunzipSync(await fileOf(`${file}.csv.gz`)).toString()
      const [header = '', ...lines] = text.trimEnd().split('\r\n')
      const names = cellsOf(header)
      return lines.map((line) => Object.fromEntries(names.map((name, at) => [name, cellsOf(line)[at] ?? ''])))
    },
    manifest: async () => JSON.parse((await fileOf('manifest.json')).toString()),
  }
}
