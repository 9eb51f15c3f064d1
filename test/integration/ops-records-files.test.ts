import { createHash, randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { writeGzip } from '#lib/ops/records/record-file.ts'
import { getPiece, piecesAfter } from '#shared/platform/bucket/bucket-pieces.ts'
import { callKeyOf } from '#shared/platform/keys.ts'
import { updateItem } from '#shared/platform/table/table.ts'
import { created } from '#test/support/lead-requests.ts'
import { recordsWorld } from '#test/support/records.ts'

const { inCall, today, records, recordsOfToday, folder, fileOf, rowsOf, manifest } = recordsWorld()

describe('ops records', () => {
  it('makes files with the same bytes when it is repeated, in a folder of their own, with a digest of each in the manifest', async () => {
    for (let call = 0; call < 3; call++) await inCall()
    await recordsOfToday()
    const FILES = ['calls.csv.gz', 'consents.csv.gz', 'stops.csv.gz', 'registries.csv.gz', 'setup.yaml.gz']
    const texts = () => Promise.all([...FILES, 'manifest.json'].map(async (name) => (await fileOf(name)).toString('base64')))
    const [first, before, rows] = [folder(), await texts(), await rowsOf('calls')]
    expect(first).toMatch(new RegExp(`^records/${today()}_${today()}/\\d{8}T\\d{6}Z-[\\da-f]{8}/$`))
    expect((await recordsOfToday()).code).toBe(0)
    expect(folder() > first).toBe(true)
    expect(await rowsOf('calls')).toEqual(rows)
    expect(await texts()).toEqual(before)
    const { files } = await manifest()
    const digests = FILES.map(async (name) => {
      const stored = await fileOf(name)
      return expect.objectContaining({ name, bytes: stored.length, sha256: createHash('sha256').update(stored).digest('hex') })
    })
    expect(files).toEqual(await Promise.all(digests))
    expect(files[0]).toMatchObject({ name: 'calls.csv.gz', rows: 3 })
    expect(gunzipSync(await fileOf('setup.yaml.gz')).toString()).toContain('lead_types:')
  })

  it('writes to a folder of its own, also when another run begins in the same second', async () => {
    await recordsOfToday()
    const first = folder()
    expect(await records(today(), today())).toMatchObject({ code: 0 })
    expect(folder()).not.toBe(first)
    expect(folder().slice(0, -'xxxxxxxx/'.length)).toBe(first.slice(0, -'xxxxxxxx/'.length))
  })

  it('writes what it can read, and ends with 1 when an item is malformed', async () => {
    const { call } = await inCall()
    await updateItem(callKeyOf(call)!, {
      UpdateExpression: 'SET attempt = :no',
      ExpressionAttributeValues: { ':no': 'one' },
    })
    const { id } = await created({ call_dnc: true })
    expect(await recordsOfToday()).toMatchObject({
      code: 1,
      out: expect.stringMatching(/1 item could not be read, and is missing: LEAD#\d+\/CALL#/),
    })
    expect(await rowsOf('stops')).toHaveLength(1)
    expect(id).toBeGreaterThan(0)
    await updateItem(callKeyOf(call)!, { UpdateExpression: 'SET attempt = :one', ExpressionAttributeValues: { ':one': 1 } })
  })

  it.each([
    ['2026-11-02', '2026-11-01', '--from 2026-11-02 is after --to 2026-11-01. Swap them.'],
    ['2026-11-01', '2030-01-01', '--to 2030-01-01 is not over.'],
    ['yesterday', '2026-11-01', '--from: '],
    ['2026-11-01', '2026-11-31', '--to: '],
  ])('refuses the period from %s to %s', async (from, to, message) => {
    expect(await records(from, to)).toMatchObject({ code: 2, err: expect.stringContaining(message) })
  })

  it('refuses today, which is not over', async () => {
    expect(await records(today(), today())).toMatchObject({ code: 2, err: expect.stringContaining(`--to ${today()} is not over.`) })
    const keys: string[] = []
    for await (const { key } of piecesAfter(`records/${today()}`, '')) keys.push(key)
    expect(keys).toEqual([])
  })
})

describe('a file of records', () => {
  it('is written in parts when it is large', async () => {
    const lines = Array.from({ length: 2500 }, () => `${randomBytes(5000).toString('hex')}\n`)
    const { bytes, sha256 } = await writeGzip('records/large.gz', lines)
    const stored = await getPiece('records/large.gz')
    expect(bytes).toBeGreaterThan(8 * 1024 * 1024)
    expect({ bytes: stored.length, sha256: createHash('sha256').update(stored).digest('hex') }).toEqual({ bytes, sha256 })
    expect(gunzipSync(stored).toString() === lines.join('')).toBe(true)
  })
})
