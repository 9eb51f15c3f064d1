import * as v from 'valibot'
import { now } from '#shared/platform/clock.ts'
import { logger } from '#shared/platform/logger.ts'
import { consume } from '#shared/platform/queues/queue-consumer.ts'
import { ingestUpload } from '#shared/uploads/ingest/ingest-upload.ts'
import { sendOn } from '#shared/uploads/ingest/send-on.ts'
import { fileKeyOf, type Upload } from '#shared/uploads/upload.ts'
import { getUpload, getWhole } from '#shared/uploads/upload-store.ts'
import { noteObject, remark } from '#shared/uploads/upload-work-store.ts'

/** A bucket's notification that an object was created. Its key is encoded as in a form. */
const ObjectRecord = v.object({
  eventName: v.string(),
  s3: v.object({
    object: v.object({
      key: v.pipe(
        v.string(),
        v.transform((key) => decodeURIComponent(key.replaceAll('+', ' '))),
      ),
      size: v.optional(v.number(), 0),
      eTag: v.optional(v.string()),
      versionId: v.optional(v.string()),
      sequencer: v.optional(v.string()),
    }),
  }),
})
type ObjectRecord = v.InferOutput<typeof ObjectRecord>

const PartName = { upload_id: v.string(), lane: v.optional(v.number(), 0) }
/** Continue an upload, or one of its lanes. Then continue others of the same owner. */
const ContinueMessage = v.object({ ...PartName, next: v.optional(v.array(v.object(PartName)), []) })

/** A bucket sends this when its notifications are set up. */
const Trial = v.object({ Event: v.literal('s3:TestEvent') })

const IngestMessage = v.union([v.object({ Records: v.array(ObjectRecord) }), ContinueMessage, Trial])

const [DIGITS, UUID] = [v.pipe(v.string(), v.digits()), v.pipe(v.string(), v.uuid())]
const SECOND_FILE = 'Several files were sent to the URL of this upload. Only one of them is read. Request a new URL to send another.'

/** The upload whose file has arrived and must be read. Undefined: there is none. */
const uploadOf = async ({ s3: { object } }: ObjectRecord): Promise<Upload | undefined> => {
  const { key, size, eTag = null, versionId = null, sequencer = null } = object
  const [, owner, , id = ''] = key.split('/')
  const upload = await getUpload(id, now())
  if (!upload || fileKeyOf(upload) !== key) {
    logger.warn('An object in the bucket belongs to no upload.', {
      owner: v.is(DIGITS, owner) ? owner : null,
      upload: v.is(UUID, id) ? id : null,
    })
    return undefined
  }
  const arrived = { version: versionId, etag: eTag, sequencer, size }
  if (await noteObject(upload, arrived, now())) return upload
  const { object: first, status } = (await getUpload(upload.upload_id, now())) ?? upload
  const isSameVersion = first?.version === arrived.version && first.etag === arrived.etag
  // The sweep that finds a file in the bucket knows no sequencer.
  const isSame = isSameVersion && (versionId !== null || [null, sequencer].includes(first.sequencer))
  if (!isSame) await remark(upload.upload_id, SECOND_FILE)
  return isSame && status === 'processing' ? upload : undefined
}

/** Reads uploaded files while there is time, and continues in another run. */
export const handler = consume<typeof IngestMessage, { readonly getRemainingTimeInMillis: () => number }>(
  IngestMessage,
  async (message, _, context) => {
    if ('Event' in message) return
    if ('Records' in message) {
      // The bucket's messages have no owner as group. If they were read in order of arrival, one client's files would delay the others.
      const found = await Promise.all(message.Records.map(uploadOf))
      return sendOn(found.map((upload) => (upload ? [upload] : [])))
    }
    const parts = [message, ...message.next]
    for (const [index, { upload_id, lane }] of parts.entries()) {
      const whole = await getWhole(upload_id, now())
      // A run reads one file, so all of its lines belong to the same sender.
      logger.appendKeys({ staff: whole?.upload.staff })
      if (whole && (await ingestUpload(whole, lane, parts.slice(index + 1), () => context?.getRemainingTimeInMillis() ?? 0))) return
    }
  },
)
