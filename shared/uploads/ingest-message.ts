import * as v from 'valibot'

/** A bucket's notification that an object was created. Its key is encoded as in a form. */
export const ObjectRecord = v.object({
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
export type ObjectRecord = v.InferOutput<typeof ObjectRecord>

/** Continue an upload. */
const GoOn = v.object({ upload_id: v.string() })

/** A bucket sends this when its notifications are set up. */
const Trial = v.object({ Event: v.literal('s3:TestEvent') })

export const IngestMessage = v.union([v.object({ Records: v.array(ObjectRecord) }), GoOn, Trial])
export type IngestMessage = v.InferOutput<typeof IngestMessage>
