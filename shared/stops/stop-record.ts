import * as v from 'valibot'
import { absentAsNull, Id, type Instant } from '../platform/values/values.ts'
import { CHANNELS } from './compliance.ts'

/**
 * How a stop, or its lift, was received. `api`: with a lead or an update of one. `list`: an entry on the group's list. `revocation`: of a
 * consent. `file`: a row of an uploaded file. `ingestion`: a request to an ingestion URL. `call`: the agent reported it. `text`: the person
 * wrote it in a text message. `operator`: the operator's tool.
 */
export const STOP_MEANS = ['api', 'list', 'revocation', 'file', 'ingestion', 'call', 'text', 'operator'] as const

/** How and by whom a stop, or its lift, was received. */
const StopOrigin = v.object({
  means: v.picklist(STOP_MEANS),
  /** The user who sent the request, or the member of staff who acted for the user. Null: nobody sent a request. */
  received_by: absentAsNull(Id),
  lead: absentAsNull(Id),
  upload_id: absentAsNull(v.string()),
  call_id: absentAsNull(v.string()),
  /** The agent that reported the call or the text message. */
  agent: absentAsNull(v.string()),
  /** The exact words in which the stop was asked for, or the operator's reason for a lift. */
  words: absentAsNull(v.string()),
})
/** As sent by the operation that raises or lifts a stop: absent parts are unknown. */
export type StopOrigin = Pick<v.InferOutput<typeof StopOrigin>, 'means'> & Partial<v.InferOutput<typeof StopOrigin>>

/** One stop of a phone, or one lift, as it was received. It is never changed; an erasure of the person removes what names the person. */
export const StopRecord = v.object({
  ...StopOrigin.entries,
  /** Acceptance sequence: tells the time. */
  accepted: v.string(),
  action: v.picklist(['stopped', 'lifted']),
  channels: v.array(v.picklist(CHANNELS)),
  /** The user whose request, file or call it came in. Null: the operator's tool. */
  owner: absentAsNull(Id),
})
export type StopRecord = v.InferOutput<typeof StopRecord>

/** A stop or a lift of a phone, with its time. */
export type PastStop = Omit<StopRecord, 'accepted'> & { readonly time: Instant }

/** A record as it is made: absent parts are null. */
type NewStopRecord = StopOrigin & Pick<StopRecord, 'accepted' | 'action' | 'channels' | 'owner'>

/** The stored text of a record. The same record always has the same text, so a repeat adds nothing to a set of texts. */
export const textOfRecord = ({ accepted, action, channels, owner, means, ...rest }: NewStopRecord): string => {
  const { received_by, lead, upload_id, call_id, agent, words } = rest
  const parts = { accepted, action, channels, owner, means, received_by, lead, upload_id, call_id, agent, words }
  return JSON.stringify(Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== null && value !== undefined)))
}

export const StopRecordText = v.pipe(v.string(), v.parseJson(), StopRecord)

/** The record without what names the person or leads to the person. */
export const anonymous = ({ words: _, lead: __, call_id: ___, upload_id: ____, ...record }: StopRecord): NewStopRecord => record
