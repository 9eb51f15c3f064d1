import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { indexStreams, startDynamodb } from '#lib/local/engines/dynamodb.ts'

let directory = ''
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stream-index-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

/** The engine's queries for the next number, and for the records after a number. */
const QUERIES = [
  "SELECT COALESCE(MAX(CAST(sequence_number AS INTEGER)), 0) + 1 FROM _stream_records WHERE table_name = 't'",
  "SELECT * FROM _stream_records WHERE table_name = 't' AND shard_id = 's' AND CAST(sequence_number AS INTEGER) > 1 ORDER BY CAST(sequence_number AS INTEGER) ASC",
]

it('the DynamoDB engine uses an index to number and find stream records', async () => {
  const file = join(directory, 'dynamodb')
  const complaints: string[] = []
  const engine = await startDynamodb({ file, environment: process.env, log: (line) => complaints.push(line) })
  await engine.stop()
  const database = new DatabaseSync(file)
  const plans = QUERIES.map((query) => JSON.stringify(database.prepare(`EXPLAIN QUERY PLAN ${query}`).all()))
  database.close()
  expect({ plans, complaints }).toEqual({
    plans: QUERIES.map(() => expect.stringMatching(/INDEX _stream_records_in_order(?!.*TEMP B-TREE)/)),
    complaints: expect.not.arrayContaining([expect.stringContaining('no index')]),
  })
})

it('the stream index reports that its table is missing', () => {
  expect(indexStreams(join(directory, 'other'))).toMatch(/no such table/)
})
