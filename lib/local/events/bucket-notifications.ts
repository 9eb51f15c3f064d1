import { setTimeout } from 'node:timers/promises'
import * as v from 'valibot'
import { REGION } from '../engines/engine.ts'
import type { BucketSpec } from '../model.ts'
import type { Send, TargetFor } from './bus-entry.ts'
import type { Log } from './pause.ts'

/** Milliseconds between tries. Lambda also tries an asynchronous event three times, but one and two minutes apart. */
const WAITS_MS = [1000, 3000]

const engineEvent = v.object({
  Records: v.array(
    v.object({
      eventName: v.string(),
      eventTime: v.string(),
      s3: v.object({
        bucket: v.object({ name: v.string() }),
        object: v.object({
          key: v.string(),
          size: v.optional(v.number()),
          eTag: v.optional(v.string()),
          sequencer: v.optional(v.string()),
        }),
      }),
    }),
  ),
})
type EngineRecord = v.InferOutput<typeof engineEvent>['Records'][number]

/** Encodes a key as S3 does in notifications: form encoding, with slashes kept. */
export const encodedKey = (key: string): string =>
  encodeURIComponent(key)
    .replace(/[!'()~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
    .replaceAll('%2F', '/')

/** The engine reports the end of a multipart upload as a form upload. The tag of a multipart upload ends in its number of parts. */
const nameOf = ({ eventName, s3 }: EngineRecord): string =>
  eventName === 'ObjectCreated:Post' && /-\d+$/.test(s3.object.eTag ?? '') ? 'ObjectCreated:CompleteMultipartUpload' : eventName

const recordOf = (record: EngineRecord) => ({
  eventVersion: '2.1',
  eventSource: 'aws:s3',
  awsRegion: REGION,
  eventTime: record.eventTime,
  eventName: nameOf(record),
  userIdentity: { principalId: 'AWS:LOCAL' },
  requestParameters: { sourceIPAddress: '127.0.0.1' },
  responseElements: {},
  s3: {
    s3SchemaVersion: '1.0',
    configurationId: 'local',
    bucket: { name: record.s3.bucket.name, ownerIdentity: { principalId: 'LOCAL' }, arn: `arn:aws:s3:::${record.s3.bucket.name}` },
    object: { ...record.s3.object, key: encodedKey(record.s3.object.key) },
  },
})

const covers = (wanted: string, eventName: string): boolean => {
  const name = wanted.replace(/^s3:/, '')
  return name.endsWith('*') ? eventName.startsWith(name.slice(0, -1)) : eventName === name
}

/**
 * Sends the S3 events of s3rver to the targets of bucket notifications. The promise never rejects. A target that fails three times loses
 * the notification, as on AWS, and the log says so. Notifications are in memory only, and are lost with the process.
 */
export const bucketNotifier = (options: {
  readonly buckets: readonly BucketSpec[]
  readonly targetFor: TargetFor
  readonly log: Log
}): ((message: unknown) => Promise<void>) => {
  const { buckets, targetFor, log } = options
  const notifications = buckets.flatMap(({ name, notifications }) =>
    notifications.map((notification) => ({ ...notification, bucket: name, send: targetFor(notification.targetArn) })),
  )

  const deliver = async (send: Send, record: EngineRecord): Promise<void> => {
    for (const wait of [...WAITS_MS, undefined]) {
      try {
        return await send({ Records: [recordOf(record)] })
      } catch (error) {
        log(
          `notification of ${record.s3.bucket.name}/${record.s3.object.key}: ${String(error)}${wait === undefined ? '; there are no more retries' : ''}`,
        )
        if (wait !== undefined) await setTimeout(wait, undefined, { ref: false })
      }
    }
  }

  return async (message) => {
    const parsed = v.safeParse(engineEvent, message)
    if (!parsed.success) return log('a bucket sent something that is not a notification')
    await Promise.all(
      parsed.output.Records.flatMap((record) => {
        const { bucket, object } = record.s3
        return notifications
          .filter((wanted) => wanted.bucket === bucket.name && object.key.startsWith(wanted.prefix) && object.key.endsWith(wanted.suffix))
          .filter((wanted) => wanted.events.some((event) => covers(event, nameOf(record))))
          .map((wanted) => deliver(wanted.send, record))
      }),
    )
  }
}
