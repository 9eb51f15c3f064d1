import { readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { LeadResponse } from '#shared/leads/api/lead-response.ts'
import { built } from '#test/support/built.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Largest allowed size, as a multiple of a function that only reads the table. */
const LIMIT = 1.92

const BARE = `
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
const client = DynamoDBDocumentClient.from(new DynamoDBClient({}))
export const handler = (Key: Record<string, string>) => client.send(new GetCommand({ TableName: 'table', Key }))
`

let directory: string
let bundles: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bundles-'))
  bundles = (await built()).bundles
  const { build } = await import('esbuild')
  await writeFile(join(directory, 'bare.ts'), BARE)
  await build({
    entryPoints: [join(directory, 'bare.ts')],
    outfile: join(directory, 'bare.mjs'),
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    nodePaths: [join(ROOT, 'node_modules')],
  })
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const kibibytes = (file: string): number => statSync(file).size / 1024

describe('the bundle of a function', () => {
  it.each([
    // It also has the adapters of all voice platforms, the client of KMS that opens their keys, and the texts that laws demand of agents.
    ['workers-place-call', 2.31],
    ['workers-deliver-webhook', 1.3],
    ['leads-create', LIMIT],
  ])('the bundle of the function %s stays within its size limit', (name, limit) => {
    const bare = kibibytes(join(directory, 'bare.mjs'))
    const size = kibibytes(join(bundles, name, 'index.mjs'))
    process.stdout.write(`${name}: ${size.toFixed(0)} KiB, ${(size / bare).toFixed(2)} times the bare client's ${bare.toFixed(0)} KiB\n`)
    expect(size / bare).toBeLessThanOrEqual(limit)
  })

  it('the bundles of functions leave out the descriptions of responses, which only the API document needs', () => {
    const description = LeadResponse.entries.next_call_time.pipe[1].description
    expect(description).toContain('null')
    expect(readFileSync(join(bundles, 'leads-retrieve', 'index.mjs'), 'utf8')).not.toContain(description)
  })
})
