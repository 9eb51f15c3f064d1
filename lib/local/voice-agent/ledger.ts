import { createHash } from 'node:crypto'
import { type Behaviour, behaviourOf } from './behaviours.ts'
import type { JournalRecord } from './journal.ts'

/** A call of the agent. Times are real, in epoch milliseconds. */
export interface AgentCall {
  readonly key: string
  readonly phone: string
  readonly callbackUrl: string
  readonly destination: string
  readonly firstRequestAt: number
  readonly offset: number
  readonly calendar: boolean
  readonly providerCallId: string
  readonly behaviour: Behaviour
  /** Ids of callbacks that the service has accepted or refused. */
  readonly acknowledged: Set<string>
  /** When the service first accepted the call's outcome. */
  completionAcceptedAt: number | undefined
  dials: number
  requests: number
  endsAt: number
  cancelledAt: number | undefined
  chosenStart: string | undefined
  /** Whether an appointment was booked; undefined before that, and for a call that books nothing. */
  isBooked: boolean | undefined
}

/** Scrambled calls send it twice, the second time as `call.completed again`. */
const isCompletion = (callback: string): boolean => callback.startsWith('call.completed')

/** The agent's calls and dials. Only journal records change the state, so a restart restores it. */
export class Ledger {
  readonly calls = new Map<string, AgentCall>()
  readonly #speed: number
  readonly #dialled = new Map<string, AgentCall[]>()
  #overlaps = 0

  constructor(speed: number) {
    this.#speed = speed
  }

  apply(record: JournalRecord): void {
    const call = this.calls.get(record.key)
    if (record.record === 'requested') {
      if (call) call.requests += 1
      else this.#begin(record)
    } else if (call && record.record === 'cancelled') {
      call.cancelledAt = record.at
      call.endsAt = record.at
    } else if (call && record.record === 'chosen') {
      call.chosenStart = record.start_time
    } else if (call && record.record === 'acknowledged') {
      call.acknowledged.add(record.callback)
      if (isCompletion(record.callback) && record.status < 300) call.completionAcceptedAt ??= record.at
    }
  }

  #begin(record: Extract<JournalRecord, { record: 'requested' }>): void {
    const { key, phone, at } = record
    const behaviour = behaviourOf(phone)
    const call: AgentCall = {
      key,
      phone,
      callbackUrl: record.callback_url,
      destination: record.destination,
      firstRequestAt: at,
      offset: record.offset,
      calendar: record.calendar,
      providerCallId: `sim-${createHash('sha256').update(key).digest('hex').slice(0, 16)}`,
      behaviour,
      acknowledged: new Set(),
      completionAcceptedAt: undefined,
      dials: 0,
      requests: 1,
      endsAt: at + behaviour.busyFor / this.#speed,
      cancelledAt: undefined,
      chosenStart: undefined,
      isBooked: undefined,
    }
    this.calls.set(key, call)
    if (behaviour.reply === 'accept' || behaviour.reply === 'never') this.#dial(call)
  }

  #dial(call: AgentCall): void {
    call.dials += 1
    const others = this.#dialled.get(call.phone) ?? []
    if (others.some((other) => other.endsAt > call.firstRequestAt)) this.#overlaps += 1
    this.#dialled.set(call.phone, [...others, call])
  }

  /** The body of `GET /dials`. `now` is real time in epoch milliseconds. */
  report(now: number) {
    const calls = [...this.calls.values()]
    const dialled = calls.filter((call) => call.dials > 0)
    return {
      total: dialled.reduce((total, call) => total + call.dials, 0),
      by_key: Object.fromEntries(dialled.map((call) => [call.key, call.dials])),
      by_phone: Object.fromEntries(
        [...this.#dialled].map(([phone, ofPhone]) => [phone, ofPhone.reduce((sum, call) => sum + call.dials, 0)]),
      ),
      requests: Object.fromEntries(calls.map((call) => [call.key, call.requests])),
      in_progress_overlaps: this.#overlaps,
      calls: calls.map((call) => ({
        key: call.key,
        phone: call.phone,
        first_request_time: new Date(call.firstRequestAt).toISOString(),
        first_request_service_time: new Date(call.firstRequestAt + call.offset).toISOString(),
        dialled: call.dials > 0,
        provider_call_id: call.dials > 0 ? call.providerCallId : null,
        behaviour: call.behaviour.name,
        ended: call.dials > 0 && call.endsAt <= now,
        end_time: call.dials > 0 ? new Date(call.endsAt).toISOString() : null,
        acknowledged: call.completionAcceptedAt !== undefined,
        acknowledged_time: call.completionAcceptedAt === undefined ? null : new Date(call.completionAcceptedAt).toISOString(),
      })),
    }
  }
}
