import { describe, expect, it } from '@jest/globals'
import { bucketNotifier, encodedKey } from '#lib/local/events/bucket-notifications.ts'

const message = (eventName: string, key: string, eTag = 'd41d8cd98f00b204e9800998ecf8427e', bucket = 'uploads') => ({
  Records: [
    {
      eventVersion: '2.0',
      eventName,
      eventTime: '2026-11-20T16:00:00.000Z',
      s3: { configurationId: 'testConfigId', bucket: { name: bucket }, object: { key, size: 12, eTag, sequencer: '19A' } },
    },
  ],
})

const notifierFor = (events: string[], answer: () => Promise<void> = async () => undefined) => {
  const sent: unknown[] = []
  const logged: string[] = []
  const notify = bucketNotifier({
    buckets: [{ name: 'uploads', pageMethods: [], notifications: [{ events, targetArn: 'ingest', prefix: 'in/', suffix: '.csv' }] }],
    targetFor: () => async (payload) => {
      sent.push(payload)
      await answer()
    },
    log: (line) => logged.push(line),
  })
  return { notify, sent, logged }
}

describe('a notification of a bucket', () => {
  it('a notification of a bucket reaches its target in the format of S3', async () => {
    const { notify, sent } = notifierFor(['s3:ObjectCreated:*'])
    await notify(message('ObjectCreated:Put', 'in/my leads (1).csv'))
    expect(sent).toMatchObject([
      {
        Records: [
          {
            eventSource: 'aws:s3',
            eventName: 'ObjectCreated:Put',
            eventTime: '2026-11-20T16:00:00.000Z',
            s3: { bucket: { name: 'uploads', arn: 'arn:aws:s3:::uploads' }, object: { key: 'in/my+leads+%281%29.csv', size: 12 } },
          },
        ],
      },
    ])
  })

  it('a notification of a bucket is sent only for its events, prefix, suffix and bucket', async () => {
    const { notify, sent } = notifierFor(['s3:ObjectCreated:Put', 's3:ObjectCreated:CompleteMultipartUpload'])
    await notify(message('ObjectCreated:Copy', 'in/a.csv'))
    await notify(message('ObjectRemoved:Delete', 'in/a.csv'))
    await notify(message('ObjectCreated:Put', 'out/a.csv'))
    await notify(message('ObjectCreated:Put', 'in/a.txt'))
    await notify(message('ObjectCreated:Put', 'in/a.csv', 'x', 'other'))
    expect(sent).toEqual([])
    await notify(message('ObjectCreated:Post', 'in/a.csv', '9b2cf535f27731c974343645a3985328-3'))
    expect(sent).toMatchObject([{ Records: [{ eventName: 'ObjectCreated:CompleteMultipartUpload' }] }])
  })

  it('a notification of a bucket is repeated when its target fails', async () => {
    let failures = 1
    const { notify, sent, logged } = notifierFor(['s3:ObjectCreated:*'], () =>
      failures-- > 0 ? Promise.reject(new Error('Crashed')) : Promise.resolve(),
    )
    await notify(message('ObjectCreated:Put', 'in/a.csv'))
    expect([sent.length, logged.length]).toEqual([2, 1])
  })

  it('a notification of a bucket encodes the key except for slashes and plain characters', () => {
    expect(encodedKey("a/b c+d&ü~!'*.csv")).toBe('a/b+c%2Bd%26%C3%BC%7E%21%27*.csv')
  })
})
