import { randomUUID } from 'node:crypto'
import { S3Client } from '@aws-sdk/client-s3'
import { SQSClient } from '@aws-sdk/client-sqs'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { SQSEvent } from 'aws-lambda'
import { handler } from '#functions/workers/ingest-csv.ts'
import { saveSource } from '#shared/ingestion/source-store.ts'
import { put } from '#shared/platform/bucket/bucket.ts'
import { getPiece } from '#shared/platform/bucket/bucket-pieces.ts'
import { now } from '#shared/platform/clock.ts'
import { HOUR } from '#shared/platform/values/durations.ts'
import { fileKeyOf, type Upload } from '#shared/uploads/upload.ts'
import { getWhole, insertUpload } from '#shared/uploads/upload-store.ts'
import { OWNER } from './world.ts'

/** Uploaded lead files, and the function that reads them. */

type SourceInput = Parameters<typeof saveSource>[0]

/** Columns of all sources here. */
const HEADER = 'Lead ID,First Name,Phone,Email,State,DNC'

const MAPPING: SourceInput['mapping'] = [
  { to: 'external_id', from: 'Lead ID' },
  { to: 'metadata.first_name', from: 'First Name' },
  { to: 'phone_number', from: 'Phone' },
  { to: 'email', from: 'Email' },
  { to: 'us_state', from: 'State' },
  { to: 'call_dnc', from: 'DNC' },
]

export const aSource = async (changes: Partial<SourceInput> = {}): Promise<string> => {
  const name = changes.name ?? 'demo'
  await saveSource({ owner: OWNER, lead_type: null, mode: 'upsert', lookup_column: 'Lead ID', mapping: MAPPING, ...changes, name })
  return name
}

export const csv = (rows: readonly string[], header = HEADER): string => `${[header, ...rows].join('\r\n')}\r\n`

/** Requests an upload URL. */
export const asked = async ({ source = 'demo', filename = 'leads.csv', dry_run = false } = {}) => {
  const upload_id = randomUUID()
  const object_key = `uploads/${OWNER}/${source}/${upload_id}/${filename}`
  await insertUpload({ upload_id, owner: OWNER, source, filename, dry_run, object_key, created_time: now() }, now() + HOUR)
  return { upload_id, file_key: fileKeyOf({ object_key, dry_run }) }
}

/** Uploads a file. @param bytes the size that the bucket tells @returns the upload's id, and the bucket's message about it */
export const sent = async (body: string | Uint8Array, of: Parameters<typeof asked>[0] = {}, bytes = Buffer.byteLength(body)) => {
  const { upload_id, file_key } = await asked(of)
  await put(file_key, body, 'text/csv')
  return { upload_id, message: eventOf(file_key, bytes) }
}

export const eventOf = (key: string, size: number, eTag = 'tag', sequencer = '1') => ({
  Records: [
    {
      eventName: 'ObjectCreated:Put',
      s3: {
        bucket: { name: 'uploads' },
        object: { key: encodeURIComponent(key).replaceAll('%2F', '/').replaceAll('%20', '+'), size, eTag, sequencer },
      },
    },
  ],
})

/** Messages that the function sends for an object event; none for another message. */
const sentOn = (message: unknown): { upload_id: string }[] => {
  const { Records = [] } = message as Partial<ReturnType<typeof eventOf>>
  return Records.map(({ s3 }) => ({ upload_id: s3.object.key.split('/')[3] ?? '' }))
}

/**
 * Hands messages to the function, then the messages that it sends for object events.
 * @param remaining for the runs that read: a run that hears of a file has enough time
 * @returns whether all were handled
 */
export const work = async (messages: readonly unknown[], remaining?: () => number): Promise<boolean> => {
  const next = messages.flatMap(sentOn)
  if (next.length === 0) return handed(messages, remaining)
  const areHandled = await handed(messages)
  return (await handed(next, remaining)) && areHandled
}

/** Hands each message to the function, all at the same time. @returns whether all were handled */
export const handed = async (messages: readonly unknown[], remaining: () => number = () => 60_000): Promise<boolean> => {
  const results = await Promise.all(
    messages.map((message, index) => {
      const Records = [{ messageId: `${index}`, receiptHandle: 'gone', body: JSON.stringify(message) }]
      return handler({ Records } as unknown as SQSEvent, { getRemainingTimeInMillis: remaining })
    }),
  )
  return results.every(({ batchItemFailures }) => batchItemFailures.length === 0)
}

/**
 * Remaining time that is enough for one batch, and too short for a second one. It is asked at the start, for the slot and for the first batch,
 * which may take long on a slow machine, and then for each further batch.
 */
export const timeForOne = (): (() => number) => {
  let asked = 0
  return () => (asked++ < 3 ? 60_000 : 9_000)
}

export const uploadNow = async (id: string): Promise<Upload> => {
  const { upload } = (await getWhole(id, now())) ?? {}
  if (!upload) throw new Error(`There is no upload ${id}.`)
  return upload
}

export const countsOf = ({ rows, created, reengaged, updated, unchanged, rejected }: Upload) => ({
  ...{ rows, created, reengaged, updated, unchanged, rejected },
})

/** Uploads a file and has it read. */
export const ingested = async (body: string | Uint8Array, options: Parameters<typeof sent>[1] = {}): Promise<Upload> => {
  const { upload_id, message } = await sent(body, options)
  await work([message])
  return uploadNow(upload_id)
}

/** The lines of an upload's report. */
export const reportLines = async ({ rejected_key }: Upload): Promise<string[]> =>
  rejected_key === null ? [] : (await getPiece(rejected_key)).toString().split('\r\n').slice(0, -1)

const WRITES = /^(Put|Update|Delete|TransactWrite|BatchWrite|SendMessage|CreateMultipart|UploadPart|CompleteMultipart)/

class Killed extends Error {}

interface Command {
  readonly name: string
  readonly input: unknown
}

/** Whether a command counts rows of an upload. By then, the effects of these rows are written. */
export const countsRows = ({ input }: Command): boolean => /counted_to = :next/.test(JSON.stringify(input))

/** Records the commands to the engines, and can kill their process before any of them. */
export const watchCommands = () => {
  const classes = [DynamoDBDocumentClient, S3Client, SQSClient]
  type Fails = (name: string, input: unknown) => Error | undefined
  const nobody = (): boolean => false
  const state = {
    ...{ effects: 0, isLast: nobody as (command: Command, effect: number) => boolean, isDead: false, commands: [] as Command[] },
    fails: (() => undefined) as Fails,
  }
  for (const { prototype } of classes) {
    const original = prototype.send as (...args: unknown[]) => Promise<unknown>
    Object.defineProperty(prototype, 'send', {
      configurable: true,
      writable: true,
      value: async function (this: unknown, ...args: unknown[]) {
        const command = args[0] as { constructor: { name: string }; input: unknown }
        const { name } = command.constructor
        if (state.isDead) throw new Killed('dead')
        if (WRITES.test(name)) {
          state.effects++
          if (state.isLast({ name, input: command.input }, state.effects)) {
            state.isDead = true
            throw new Killed('killed')
          }
        }
        const failure = state.fails(name, command.input)
        if (failure) throw failure
        state.commands.push({ name, input: command.input })
        return original.apply(this, args)
      },
    })
  }
  const commandsOf = async (run: () => Promise<unknown>) => {
    state.commands = []
    await run()
    return state.commands
  }
  return {
    /** Dies before write number `effect`, or before a matching write. All later requests fail. @returns whether it died */
    killed: async (effect: number | ((command: Command) => boolean), run: () => Promise<unknown>): Promise<boolean> => {
      const isLast = typeof effect === 'number' ? (_: Command, count: number) => count === effect : effect
      Object.assign(state, { effects: 0, isLast, isDead: false })
      await run().catch(() => {})
      const died = state.isDead
      Object.assign(state, { isLast: nobody, isDead: false })
      return died
    },
    commandsOf,
    /** Counts reads of leads and of the items that find them, by kind of item. Leaves out reads of cached settings. */
    readsOf: async (run: () => Promise<unknown>) => {
      const reads: Record<string, number> = {}
      for (const { name, input } of await commandsOf(run)) {
        const [, kind] = /":?pk":"(LEAD|PERSON|PHONE|EXT|EMAIL)#/.exec(JSON.stringify(input)) ?? []
        const read = `${name} ${kind}`
        if (kind && /^(Get|BatchGet|Query)Command/.test(read)) reads[read] = (reads[read] ?? 0) + 1
      }
      return reads
    },
    /** Kinds of items written to the table, by the start of their keys. Leaves out the slots of owners. */
    kindsWritten: async (run: () => Promise<unknown>) => {
      const writes = (await commandsOf(run)).filter(({ name }) => /^(Put|Update|Delete|TransactWrite|BatchWrite)Command$/.test(name))
      return new Set(
        writes.flatMap(({ input }) => [...JSON.stringify(input).matchAll(/"pk":"(?!THROTTLE)([A-Z]+)#/g)].map(([, kind]) => kind)),
      )
    },
    /** Runs while the engines fail some requests. */
    failing: async <T>(fails: Fails, run: () => Promise<T>): Promise<T> => {
      state.fails = fails
      try {
        return await run()
      } finally {
        state.fails = () => undefined
      }
    },
    stop: () => {
      for (const { prototype } of classes) Reflect.deleteProperty(prototype, 'send')
    },
  }
}
