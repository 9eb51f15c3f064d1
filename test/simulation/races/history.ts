import { DescribeTableCommand } from '@aws-sdk/client-dynamodb'
import { type _Record, DescribeStreamCommand, GetRecordsCommand, GetShardIteratorCommand } from '@aws-sdk/client-dynamodb-streams'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import * as v from 'valibot'
import { dynamodbClient, streamsClient } from '#lib/local/events/start-event-sources.ts'
import type { Call } from '#shared/calling/call.ts'
import { callFromItem } from '#shared/calling/call-store.ts'
import { ConsentRecord } from '#shared/consents/consent.ts'
import type { Lead } from '#shared/leads/lead.ts'
import { leadFromItem } from '#shared/leads/lead-store.ts'
import { isCallable } from '#shared/leads/rules/status.ts'
import { CONSENT_RECORD_PREFIX, consentPk } from '#shared/platform/keys.ts'
import { Lines, Phone } from '#shared/stops/compliance.ts'
import { DEMANDED, DEMANDING } from './owners.ts'

/** The intent of a call, and its place in the order of the table's writes. */
export interface Intent {
  readonly callId: string
  readonly lead: number
  readonly place: number
  /** The call's own intent time, by the service's clock. */
  readonly time: number
  /** The reason why the call was not allowed then, if any. */
  readonly against: string | null
}

/** The table's history, read from its stream, in the order of its writes. */
export interface History {
  readonly intents: Intent[]
  /** By lead: the place of the first write that stopped its calls. */
  readonly stopped: Map<number, number>
  /** By call: the place of the write with its outcome. */
  readonly completed: Map<string, number>
  /** Phones taken for one call while in another. */
  readonly overlaps: string[]
}

/** All stream records of the table so far. */
export const readRecords = async (url: string): Promise<_Record[]> => {
  const [dynamodb, streams] = [dynamodbClient(url), streamsClient(url)]
  const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName: process.env['TABLE_NAME'] }))
  const StreamArn = Table!.LatestStreamArn!
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }))
  const records: _Record[] = []
  for (const { ShardId } of StreamDescription?.Shards ?? []) {
    let { ShardIterator } = await streams.send(new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' }))
    while (ShardIterator) {
      const { Records = [], NextShardIterator } = await streams.send(new GetRecordsCommand({ ShardIterator }))
      records.push(...Records)
      ShardIterator = Records.length > 0 ? NextShardIterator : undefined
    }
  }
  dynamodb.destroy()
  streams.destroy()
  const place = ({ dynamodb: change }: _Record): bigint => BigInt(change?.SequenceNumber ?? 0)
  return records.toSorted((one, other) => Number(place(one) - place(other)))
}

/** The table's state so far. Holds a lead before and after its last write, since a dial writes it together with the intent. */
const emptyState = () => ({
  phones: new Map<string, Phone>(),
  lines: new Map<number, Lines>(),
  consents: new Map<string, readonly ConsentRecord[]>(),
  leads: new Map<number, { readonly before: Lead | undefined; readonly after: Lead }>(),
})
type State = ReturnType<typeof emptyState>

const whatStands = ({ phones, lines }: State, phonePk: string, lead: Lead): string | null => {
  const { paused, paused_upto } = lines.get(lead.owner) ?? { paused: false, paused_upto: 0 }
  if (phones.get(phonePk)?.call_dnc || lead.call_dnc) return 'do not call'
  if (!isCallable(lead.status)) return lead.status
  return paused || lead.position <= paused_upto ? 'paused' : null
}

const since = ({ time, received_time }: ConsentRecord): number => Math.min(time, received_time)

/** Whether one of a phone's records is a consent that counts: every revocation was given and received before. */
const isConsented = (records: readonly ConsentRecord[]): boolean =>
  records.some((given, place) => {
    const isAfter = (other: ConsentRecord, at: number) => at < place && since(other) < since(given)
    return given.type === DEMANDED && records.every((other, at) => other.kind === 'given' || isAfter(other, at))
  })

/** Whether a lead lacks the consent that its lead type demands. Reads the records, and not the state that the service makes of them. */
const lacksConsent = ({ consents }: State, { lead_type, owner, phone_number }: Lead): boolean =>
  lead_type === DEMANDING && !isConsented(consents.get(consentPk(owner, phone_number)) ?? [])

const againstCall = (state: State, call: Call): string | null => {
  const { before, after } = state.leads.get(call.lead) ?? {}
  const lead = after?.current_call === call.call_id ? before : after
  if (!lead) return 'no lead'
  return whatStands(state, call.phone_key, lead) ?? (lacksConsent(state, lead) ? 'no consent' : null)
}

interface Change {
  readonly pk: string
  readonly sk: string
  readonly after: Record<string, unknown>
  readonly before: Record<string, unknown> | undefined
}

const changeOf = ({ dynamodb }: _Record): Change | undefined => {
  if (!dynamodb?.NewImage) return undefined
  const { pk, sk } = dynamodb.Keys ?? {}
  const before = dynamodb.OldImage && unmarshall(dynamodb.OldImage as Parameters<typeof unmarshall>[0])
  return { pk: `${pk?.S}`, sk: `${sk?.S}`, after: unmarshall(dynamodb.NewImage as Parameters<typeof unmarshall>[0]), before }
}

const noteCall = (history: History, state: State, { after, before }: Change, place: number): void => {
  const call = callFromItem(after)
  if (call.call_direction !== 'outbound') return
  const { call_id: callId, lead, intent_time: time } = call
  if (!before) history.intents.push({ callId, lead, place, time, against: againstCall(state, call) })
  if (call.reported_outcome !== null && !before?.['reported_outcome']) history.completed.set(callId, place)
}

const noteChange = (history: History, state: State, change: Change, place: number): void => {
  const { pk, sk, after, before } = change
  if (sk === 'PHONE') {
    const phone = v.parse(Phone, after)
    const earlier = before?.['current_call']
    if (phone.current_call && earlier && phone.current_call !== earlier) history.overlaps.push(`${phone.current_call} during ${earlier}`)
    state.phones.set(pk, phone)
  } else if (sk.startsWith(CONSENT_RECORD_PREFIX))
    state.consents.set(pk, [...(state.consents.get(pk) ?? []), v.parse(ConsentRecord, after)])
  else if (sk === 'LINES') state.lines.set(Number(pk.split('#')[1]), v.parse(Lines, after))
  else if (sk === 'LEAD') {
    const lead = leadFromItem(after)
    state.leads.set(lead.id, { before: state.leads.get(lead.id)?.after, after: lead })
  } else if (sk.startsWith('CALL#')) noteCall(history, state, change, place)
}

/** @param subjects leads and their phone keys, whose first stop is recorded */
export const readHistory = async (url: string, subjects: readonly { lead: number; owner: number; phonePk: string }[]): Promise<History> => {
  const history: History = { intents: [], stopped: new Map(), completed: new Map(), overlaps: [] }
  const state = emptyState()
  const byPhone = Map.groupBy(subjects, ({ phonePk }) => phonePk)
  const byOwner = Map.groupBy(subjects, ({ owner }) => owner)
  const byLead = Map.groupBy(subjects, ({ lead }) => lead)
  const touched = ({ pk, sk }: Change) => {
    if (sk === 'LINES') return byOwner.get(Number(pk.split('#')[1]))
    return sk === 'PHONE' ? byPhone.get(pk) : byLead.get(Number(pk.split('#')[1]))
  }
  for (const [place, record] of (await readRecords(url)).entries()) {
    const change = changeOf(record)
    if (!change) continue
    noteChange(history, state, change, place)
    for (const { lead, phonePk } of touched(change) ?? []) {
      const found = state.leads.get(lead)?.after
      if (found && !history.stopped.has(lead) && whatStands(state, phonePk, found)) history.stopped.set(lead, place)
    }
  }
  return history
}
