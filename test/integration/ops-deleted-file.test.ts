import { GetObjectCommand, ListObjectVersionsCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import { expect, it } from '@jest/globals'
import { opsWorld } from '#test/support/ops-world.ts'
import { aSource, csv, ingested } from '#test/support/uploads.ts'

const { tool } = opsWorld({ withBucket: true, prepare: () => aSource() })

/** While `run` runs, the bucket answers as one with versions whose object has been deleted. */
const withDeleted = async <T>(key: string, run: () => Promise<T>): Promise<T> => {
  const { send } = S3Client.prototype
  const answered = async function (this: S3Client, ...args: unknown[]): Promise<unknown> {
    const command = args[0] as { input: { Prefix?: string; VersionId?: string } }
    const { Prefix = '', VersionId } = command.input
    if (command instanceof ListObjectVersionsCommand) {
      return key.startsWith(Prefix) ? { DeleteMarkers: [{ Key: key, VersionId: 'mark', IsLatest: true }] } : {}
    }
    if (command instanceof GetObjectCommand && VersionId === 'mark') {
      throw new S3ServiceException({ name: 'MethodNotAllowed', $fault: 'client', $metadata: { httpStatusCode: 405 } })
    }
    return Reflect.apply(send, this, args)
  }
  Object.assign(S3Client.prototype, { send: answered })
  try {
    return await run()
  } finally {
    Object.assign(S3Client.prototype, { send })
  }
}

it.each([
  ['export', '+12125550071', []],
  ['erase', '+12125550072', ['--yes', '--json']],
])('%s finds a person whose uploaded file was deleted', async (command, phone, options) => {
  const { object_key } = await ingested(csv([`D-${command},Ann,${phone},,,`]))
  const { code, out } = await withDeleted(object_key, () => tool().ops([command, phone, ...options]))
  expect(code).toBe(0)
  expect(JSON.parse(out)).toBeDefined()
})
