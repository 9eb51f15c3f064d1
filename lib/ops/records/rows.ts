import { representCall } from '#shared/calling/api/call.ts'
import type { Call } from '#shared/calling/call.ts'
import type { ConsentRecord } from '#shared/consents/consent.ts'
import { parsePhonePk } from '#shared/platform/keys.ts'
import { GATE_NAMES, type Instant } from '#shared/platform/values/values.ts'
import type { Registry } from '#shared/registries/registry.ts'
import type { PastStop } from '#shared/stops/stop-record.ts'
import type { State } from '../state.ts'
import type { RecordCell } from './csv.ts'

/** The rows of each file. Times are those of UTC. */

export interface RecordRow {
  readonly time: Instant
  readonly cells: readonly RecordCell[]
}

const iso = (time: Instant | null): string | null => (time === null ? null : new Date(time).toISOString())

const nameOfUser = ({ users }: State, id: number | null): string | null => (id === null ? null : (users.get(id)?.user.name ?? null))

/** The earliest known time. A report of the answer may overtake the agent's acceptance of the call. */
const earliest = (...times: readonly (Instant | null)[]): Instant | null =>
  times.filter((time) => time !== null).toSorted((a, b) => a - b)[0] ?? null

/** The verdicts of the gates when the call was placed. The table does not keep their order. */
const verdictsText = ({ verdicts }: Call): string =>
  GATE_NAMES.flatMap((gate) => (verdicts[gate] ? [`${gate}=${verdicts[gate]}`] : [])).join(' ')

export const callRow = (call: Call, state: State): RecordRow => {
  const { owner, lead_type, intent_time } = call
  const used = call.placed_with
  const leadType = state.users.get(owner)?.leadTypes.find(({ id }) => id === lead_type)
  const { call_status, duration_seconds, transfer } = representCall(call)
  const isOutbound = call.call_direction === 'outbound'
  const numbers = isOutbound ? [used?.number ?? null, call.phone_number] : [call.phone_number, null]
  const started = earliest(call.accepted_time, call.answered_time)
  const connected = transfer?.connected_time ?? null
  return {
    time: intent_time,
    cells: [
      ...[call.call_id, owner, nameOfUser(state, owner), call.call_direction, iso(call.due_time), iso(intent_time), iso(started)],
      ...[iso(call.answered_time), iso(call.ended_time ?? call.completed_time), duration_seconds, ...numbers, call.lead, call.attempt],
      ...[lead_type, leadType?.name ?? null, call.lead_source, call_status, call.outcome, call.reported_outcome, call.failure],
      ...[call.is_contact, transfer?.destination ?? null, transfer?.mode ?? null, connected === null ? null : iso(Date.parse(connected))],
      ...[call.agent, used?.platform ?? null, used?.assistant ?? null, call.provider_call_id],
      verdictsText(call),
    ],
  }
}

/** A person as leads, calls or consents tell. */
export interface KnownPerson {
  readonly number: string | null
  readonly name: string | null
}

export const consentRow = (record: ConsentRecord, { name }: KnownPerson, state: State): RecordRow => ({
  time: record.received_time,
  cells: [
    ...[record.phone_number, name, record.owner, nameOfUser(state, record.owner), record.kind, record.type, iso(record.time)],
    ...[iso(record.received_time), record.received_by, record.source, record.proof_text, record.proof_url, record.seller],
    ...[record.lead_id, record.how, record.channels.join(' ')],
  ],
})

/** A stop or a lift of a phone. */
export interface StopOfPhone {
  /** The phone's partition key. */
  readonly pk: string
  /** `means`: null for a flag that was raised before stops had records. */
  readonly stop: Omit<PastStop, 'means'> & { readonly means: PastStop['means'] | null }
}

/** In hexadecimal: no spreadsheet takes it for a formula. */
const hexOf = (hash: string): string => Buffer.from(hash, 'base64url').toString('hex')

export const stopRow = ({ pk, stop }: StopOfPhone, { number, name }: KnownPerson, state: State): RecordRow => ({
  time: stop.time,
  cells: [
    ...[
      number,
      hexOf(parsePhonePk(pk).hash),
      name,
      parsePhonePk(pk).group,
      iso(stop.time),
      stop.action,
      stop.channels.join(' '),
      stop.means,
      stop.owner,
    ],
    ...[nameOfUser(state, stop.owner), stop.received_by, stop.lead, stop.upload_id, stop.call_id, stop.agent, stop.words],
  ],
})

export const registryRow = ({ list, as_of, imported_time, numbers, version }: Registry): RecordRow => ({
  time: imported_time,
  cells: [list, as_of, iso(imported_time), numbers, version],
})
