import { setTimeout as sleep } from 'node:timers/promises'
import type { Webhook } from 'standardwebhooks'
import { bookSimulatedAppointment } from './booking.ts'
import { type Callback, callbacksOf, cancellableUntil } from './callbacks.ts'
import { deliver, ReportLimit, type ServiceReply } from './delivery.ts'
import { type Journal, type JournalRecord, openJournal } from './journal.ts'
import { type AgentCall, Ledger } from './ledger.ts'

export interface AgentOptions {
  readonly journalFile: string | undefined
  /** Base URL for the callbacks of restored calls. */
  readonly serviceUrl: string
  readonly webhook: Webhook
  readonly log: (message: string) => void
  readonly speed: number
}

type Requested = Omit<Extract<JournalRecord, { record: 'requested' }>, 'record'>

/** Callbacks. Fewer than the sandboxes that handle them. */
const MOST_REPORTS_AT_ONCE = 6

/** Milliseconds at speed 1. */
const BOOKING_PAUSE_MS = 1000

/** Whether the callback reports the end or the outcome of a call. */
const isOfEnd = ({ id }: Callback): boolean => id.startsWith('call.ended') || id.startsWith('call.completed')

/** The agent behind the HTTP server: takes calls and cancellations, keeps the journal, sends callbacks. */
export class SimulatedAgent {
  readonly #options: AgentOptions
  readonly #ledger: Ledger
  readonly #journal: Journal
  /** Keys of calls from before the restart. */
  readonly #restored: ReadonlySet<string>
  readonly #sending = new Map<string, AbortController>()
  readonly #lines = new ReportLimit(MOST_REPORTS_AT_ONCE)
  readonly #reports = { sent: 0, pending: 0 }
  readonly #bookings = new Map<string, Promise<void>>()

  /** Throws when the journal cannot be read. */
  constructor(options: AgentOptions) {
    this.#options = options
    this.#ledger = new Ledger(options.speed)
    this.#journal = openJournal(options.journalFile, (record) => this.#ledger.apply(record))
    this.#restored = new Set(this.#ledger.calls.keys())
  }

  /** Sends callbacks that were not acknowledged before the restart. */
  resume(): void {
    for (const call of this.#ledger.calls.values()) this.#startSending(call)
  }

  /** The call with this key. Dials it now if the key is new. */
  request(requested: Requested): AgentCall {
    const isNew = !this.#ledger.calls.has(requested.key)
    this.#record({ record: 'requested', ...requested })
    const call = this.#ledger.calls.get(requested.key)
    if (!call) throw new Error(`The ledger has no call ${requested.key}, although its request is recorded.`)
    if (isNew) this.#startSending(call)
    return call
  }

  /** @returns false when the call cannot be cancelled any more */
  cancel(key: string, at: number): boolean {
    const call = this.#ledger.calls.get(key)
    if (!call || call.dials === 0 || call.cancelledAt !== undefined || at >= cancellableUntil(call, this.#options.speed)) return false
    this.#record({ record: 'cancelled', key, at })
    this.#sending.get(key)?.abort()
    this.#startSending(call)
    return true
  }

  report(now: number) {
    return { ...this.#ledger.report(now), reports: { ...this.#reports, most_at_once: this.#lines.mostUsed } }
  }

  close(): void {
    for (const controller of this.#sending.values()) controller.abort()
    this.#journal.close()
  }

  #record(record: JournalRecord): void {
    this.#journal.append(record)
    this.#ledger.apply(record)
  }

  /** The service may have another port since the restart. */
  #addressOf(call: AgentCall): string {
    if (!this.#restored.has(call.key)) return call.callbackUrl
    const { pathname, search } = new URL(call.callbackUrl)
    return new URL(pathname + search, this.#options.serviceUrl).href
  }

  #startSending(call: AgentCall): void {
    const pending = callbacksOf(call, this.#options.speed).filter((callback) => !call.acknowledged.has(callback.id))
    if (pending.length === 0) return
    const controller = new AbortController()
    this.#sending.set(call.key, controller)
    void Promise.all(pending.map((callback) => this.#send(call, callback, controller.signal))).then(() => {
      if (this.#sending.get(call.key) === controller) this.#sending.delete(call.key)
    })
  }

  /** Books once per call, before the end of the call is reported. */
  async #book(call: AgentCall, signal: AbortSignal): Promise<void> {
    const { webhook, speed } = this.#options
    const ask = (route: string, body: unknown): Promise<ServiceReply | undefined> => {
      const message = { eventId: `${route}-${call.key}`, body: JSON.stringify(body) }
      const address = () => new URL(`../calendar/${route}/`, this.#addressOf(call)).href
      return deliver(message, { address, webhook, speed, signal, lines: this.#lines, onSend: () => {} })
    }
    const choose = (start_time: string) => this.#record({ record: 'chosen', key: call.key, start_time })
    call.isBooked = await bookSimulatedAppointment(call, { ask, choose, pause: BOOKING_PAUSE_MS / speed, signal })
  }

  /** Waits until the callback is due. The callbacks of a call's end depend on its booking. */
  async #whenDue(call: AgentCall, callback: Callback, signal: AbortSignal): Promise<Callback> {
    await sleep(Math.max(0, callback.dueAt - Date.now()), undefined, { signal })
    if (!call.calendar || !call.behaviour.books || call.cancelledAt !== undefined || !isOfEnd(callback)) return callback
    const booking = this.#bookings.get(call.key) ?? this.#book(call, signal)
    this.#bookings.set(call.key, booking)
    await booking
    return callbacksOf(call, this.#options.speed).find(({ id }) => id === callback.id) ?? callback
  }

  async #send(call: AgentCall, given: Callback, signal: AbortSignal): Promise<void> {
    const { webhook, speed, log } = this.#options
    const onSend = () => void this.#reports.sent++
    this.#reports.pending++
    try {
      const callback = await this.#whenDue(call, given, signal)
      const address = () => this.#addressOf(call)
      const reply = await deliver(callback, { address, webhook, speed, signal, lines: this.#lines, onSend })
      if (reply === undefined) return log(`voice agent: gave up on ${callback.eventId}`)
      const { status } = reply
      if (status >= 400) log(`voice agent: ${callback.eventId} was refused with ${status}`)
      this.#record({ record: 'acknowledged', key: call.key, callback: callback.id, at: Date.now(), status })
    } catch (error) {
      if (!signal.aborted) log(`voice agent: ${given.eventId} failed: ${error}`)
    } finally {
      this.#reports.pending--
    }
  }
}
