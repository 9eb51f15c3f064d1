import { InternalServerError } from '@aws-sdk/client-dynamodb'
import { NoSuchUpload, S3ServiceException } from '@aws-sdk/client-s3'
import { describe, expect, it } from '@jest/globals'
import { invalidPhone } from '#shared/http/fields/phone.ts'
import { put } from '#shared/platform/bucket/bucket.ts'
import { uploadWorld } from '#test/support/upload-world.ts'
import { csv, reportLines, sent, timeForOne, uploadNow, work } from '#test/support/uploads.ts'
import { OWNER } from '#test/support/world.ts'

const { watch } = uploadWorld()

const BAD_ROWS = csv(['r-1,R,bad,,,', 'r-2,R,bad,,,'])
const REJECTED = ['2', '3'].map((line) => `${line},Phone,bad,"${invalidPhone('bad')}"`)
const HEADER = 'line,column,value,message'

/** A file that was read, but for two rows; what was rejected before is in pieces. */
const readBefore = async (pieces: readonly string[]) => {
  const { upload_id, message } = await sent(BAD_ROWS)
  const putPiece = (piece: string, index: number) =>
    put(`rejected/${OWNER}/${upload_id}/parts/${String(index + 1000).padStart(12, '0')}.csv`, piece, 'text/csv')
  await Promise.all(pieces.map(putPiece))
  return { upload_id, message }
}

/** Runs with so much time each, until the upload is not processed any more. @returns the commands of each run */
const runs = async (upload_id: string, times: readonly number[] = Array.from({ length: 20 }, () => 60_000)) => {
  const commands: Awaited<ReturnType<ReturnType<typeof watch>['commandsOf']>>[] = []
  for (const time of times) {
    if ((await uploadNow(upload_id)).status !== 'processing') break
    commands.push(await watch().commandsOf(() => work([{ upload_id }], () => time)))
  }
  return commands
}
const named = (commands: { name: string }[], name: string) => commands.filter((command) => command.name === name)

describe('the list of the rejected rows', () => {
  it('the list of rejected rows is assembled in rounds that resume where the last one ended and renew the lease', async () => {
    const pieces = Array.from({ length: 270 }, (_, index) => `${index + 1000},a,b,c\r\n`)
    const { upload_id, message } = await readBefore(pieces)
    await work([message], timeForOne())
    const each = [...(await runs(upload_id, [9_000])), ...(await runs(upload_id))]
    expect(each.map((commands) => named(commands, 'GetObjectCommand').length)).toEqual([1 + 128, expect.any(Number)])
    const order = each
      .flat()
      .filter(({ name, input }) => name === 'ListObjectsCommand' || JSON.stringify(input).includes('lease_until = :until, due_at'))
      .map(({ name }) => name[0])
    expect(order.join('')).toBe('ULULUU')
    const upload = await uploadNow(upload_id)
    expect(upload).toMatchObject({ status: 'done', rows: 2, rejected: 2, error: null })
    expect(await reportLines(upload)).toEqual([HEADER, ...REJECTED, ...pieces.map((piece) => piece.trim())])
  })

  it('the list of rejected rows is assembled by multipart upload when its pieces are large', async () => {
    const piece = (index: number) => `${index},${'x'.repeat(3_000_000)},,\r\n`
    const pieces = Array.from({ length: 8 }, (_, index) => piece(index))
    const { upload_id, message } = await readBefore(pieces)
    await work([message], timeForOne())
    const each = await runs(
      upload_id,
      Array.from({ length: 20 }, () => 9_000),
    )
    expect(named(each.flat(), 'UploadPartCommand').length).toBeGreaterThanOrEqual(2)
    const upload = await uploadNow(upload_id)
    expect(upload).toMatchObject({ status: 'done', rejected: 2 })
    expect((await reportLines(upload)).map((line) => line.length)).toEqual(
      [HEADER, ...REJECTED, ...pieces.map((text) => text.trim())].map((line) => line.length),
    )
  })

  it('the list of rejected rows is assembled after the bucket was unavailable for long', async () => {
    const { upload_id, message } = await sent(BAD_ROWS)
    const away = new S3ServiceException({ name: 'InternalError', $fault: 'server', $metadata: {} })
    const fails = (name: string, input: unknown) =>
      name === 'PutObjectCommand' && (input as { Key: string }).Key.endsWith('/rejected.csv') ? away : undefined
    await watch().failing(fails, async () => {
      for (let tries = 0; tries < 63; tries++) expect(await work([tries === 0 ? message : { upload_id }])).toBe(true)
    })
    expect(await work([{ upload_id }])).toBe(true)
    const upload = await uploadNow(upload_id)
    expect(upload).toMatchObject({ status: 'done', error: null, rejected: 2 })
    expect(await reportLines(upload)).toEqual([HEADER, ...REJECTED])
  })

  it('the list of rejected rows is assembled again after a crash just after its completion', async () => {
    const piece = `1000,${'x'.repeat(9_000_000)},,\r\n`
    const { upload_id, message } = await readBefore([piece, '', ''])
    const ends = (name: string, input: unknown) =>
      name === 'UpdateCommand' && JSON.stringify(input).includes('finished_time = :at')
        ? new InternalServerError({ message: 'Away.', $metadata: {} })
        : undefined
    await watch().failing(ends, async () => expect(await work([message])).toBe(true))
    // The local bucket has no word for it.
    let completed = 0
    const isGone = (name: string) =>
      name === 'CompleteMultipartUploadCommand' && completed++ === 0 ? new NoSuchUpload({ message: 'Gone.', $metadata: {} }) : undefined
    await watch().failing(isGone, async () => expect(await work([{ upload_id }])).toBe(true))
    expect(completed).toBe(2)
    const upload = await uploadNow(upload_id)
    expect(upload).toMatchObject({ status: 'done', error: null, rejected: 2 })
    expect((await reportLines(upload)).map(({ length }) => length)).toEqual([HEADER, ...REJECTED, piece.trim()].map(({ length }) => length))
  })

  it.each([
    ['list of rejected rows', false],
    ['report of the dry run', true],
  ])('an upload is done although its %s can never be assembled', async (name, dry_run) => {
    const { upload_id, message } = await sent(BAD_ROWS, { dry_run })
    const refuses = (command: string, input: unknown) =>
      command === 'PutObjectCommand' && (input as { Key: string }).Key.endsWith('/rejected.csv') ? new Error('Refused.') : undefined
    await watch().failing(refuses, async () => {
      await work([message])
      for (let tries = 1; tries < 60; tries++) expect(await work([{ upload_id }])).toBe(false)
      expect(await uploadNow(upload_id)).toMatchObject({ status: 'processing', error: null, rows: 2 })
      await work([{ upload_id }])
      await work([{ upload_id }])
    })
    expect(await uploadNow(upload_id)).toMatchObject({
      ...{ status: 'done', rows: 2, rejected: 2, rejected_key: null },
      error: `The ${name} could not be assembled, for a reason that the operator finds in the service's log.`,
    })
  })
})
