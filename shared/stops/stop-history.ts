import * as v from 'valibot'
import { timeOfSequence } from '../platform/sequence.ts'
import type { ListLift } from './compliance.ts'
import { forgetReasons } from './flag-store.ts'
import { getPhone } from './phone-store.ts'
import { anonymous, type PastStop, type StopRecord, StopRecordText, textOfRecord } from './stop-record.ts'
import { rewriteStopRecords, stopItems } from './stop-record-store.ts'

const NOT_GIVEN = { received_by: null, lead: null, upload_id: null, call_id: null, agent: null, owner: null } as const

/** Lifts from the list are stored with their reasons in the phone's item. */
const ofListLift = ({ time, channels, reason }: ListLift): PastStop => ({
  ...NOT_GIVEN,
  ...{ time, action: 'lifted', means: 'operator', channels: [...channels], words: reason || null },
})

const ofRecord = ({ accepted, ...record }: StopRecord): PastStop => ({ ...record, time: timeOfSequence(accepted) })

/**
 * The stops and lifts of a phone, the latest first. Stops of version 1.0.2 or older have no record.
 * @param most how many, at most. Default: all
 */
export const stopHistory = async (pk: string, most?: number): Promise<PastStop[]> => {
  // First: a record that moves meanwhile is then found at its new place too.
  const { stop_records, list_lifts = [] } = await getPhone(pk)
  const moved = await stopItems(pk, most)
  const texts = new Set([...stop_records, ...moved.map(({ record }) => record)])
  const records = [...texts].map((text) => v.parse(StopRecordText, text)).sort((a, b) => (a.accepted < b.accepted ? 1 : -1))
  return [...records.map(ofRecord), ...list_lifts.map(ofListLift)].sort((a, b) => b.time - a.time).slice(0, most)
}

/**
 * Removes what names the person from the records of a phone, and the reasons of its lifts from the list.
 * @param owner only from the records of this user; undefined: from all. Lifts from the list belong to no user
 */
export const anonymiseStops = async (pk: string, owner: number | undefined): Promise<void> => {
  const { stop_records, list_lifts = [] } = await getPhone(pk)
  await forgetReasons(pk, list_lifts.length)
  await rewriteStopRecords(pk, stop_records, (text) => {
    const record = v.parse(StopRecordText, text)
    return owner === undefined || record.owner === owner ? textOfRecord(anonymous(record)) : text
  })
}
