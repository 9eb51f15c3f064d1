import { setTimeout } from 'node:timers/promises'
import * as v from 'valibot'
import { REGION } from '../engines/access.ts'
import type { BucketSpec } from '../model.ts'
import type { Log } from './pause.ts'
import type { Send, TargetFor } from './targets.ts'

/** Lambda tries an asynchronous event three times, a minute and two apart; here nobody wants to wait for that. */
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

/** A key as S3 writes it in notifications: the encoding of forms, with slashes kept. */
export const encodedKey = (key: string): string =>
  encodeURIComponent(key)
    .replace(/[!'()~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
    .replaceAll('%2F', '/')

/** The engine calls the end of a multipart upload a form upload; the tag of one ends in its number of parts. */
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
 * Tells the targets of buckets' notifications about what s3rver emits as `event`. The promise never rejects: a target that fails three
 * times has lost the notification, as on AWS, and the log says so. Notifications are in memory only and are lost with the process.
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
          `notification of ${record.s3.bucket.name}/${record.s3.object.key}: ${String(error)}${wait === undefined ? '; it is given up' : ''}`,
        )
        if (wait !== undefined) await setTimeout(wait, undefined, { ref: false })
      }
    }
  }

  return async (message) => {
    const parsed = v.safeParse(engineEvent, message)
    if (!parsed.success) return log('a bucket told something that is no notification')
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
