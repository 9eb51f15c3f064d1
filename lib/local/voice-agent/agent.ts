import type { Webhook } from 'standardwebhooks'
import { type Callback, callbacksOf, cancellableUntil } from './callbacks.ts'
import { deliver } from './delivery.ts'
import { type Journal, type JournalRecord, openJournal } from './journal.ts'
import { type AgentCall, Ledger } from './ledger.ts'

export interface AgentOptions {
  readonly journalFile: string | undefined
  /** Where the callbacks of restored calls go. */
  readonly serviceUrl: string
  readonly webhook: Webhook
  readonly log: (message: string) => void
  readonly speed: number
}

type Requested = Omit<Extract<JournalRecord, { record: 'requested' }>, 'record'>

/** The agent behind its HTTP face: takes calls and cancels, keeps the journal, sends callbacks. */
export class Agent {
  readonly #options: AgentOptions
  readonly #ledger: Ledger
  readonly #journal: Journal
  /** Keys of calls from before the start. */
  readonly #restored: ReadonlySet<string>
  readonly #sending = new Map<string, AbortController>()

  /** Throws when the journal cannot be read. */
  constructor(options: AgentOptions) {
    this.#options = options
    this.#ledger = new Ledger(options.speed)
    this.#journal = openJournal(options.journalFile, (record) => this.#ledger.apply(record))
    this.#restored = new Set(this.#ledger.calls.keys())
  }

  /** Sends what was left unacknowledged before the start. */
  resume(): void {
    for (const call of this.#ledger.calls.values()) this.#startSending(call)
  }

  /** The call of this key, dialled now when the key is new. */
  request(requested: Requested): AgentCall {
    const isNew = !this.#ledger.calls.has(requested.key)
    this.#record({ record: 'requested', ...requested })
    const call = this.#ledger.calls.get(requested.key)
    if (!call) throw new Error(`No call ${requested.key} after its request.`)
    if (isNew) this.#startSending(call)
    return call
  }

  /** False when there is nothing to cancel any more. */
  cancel(key: string, at: number): boolean {
    const call = this.#ledger.calls.get(key)
    if (!call || call.dials === 0 || call.cancelledAt !== undefined || at >= cancellableUntil(call, this.#options.speed)) return false
    this.#record({ record: 'cancelled', key, at })
    this.#sending.get(key)?.abort()
    this.#startSending(call)
    return true
  }

  report(now: number) {
    return this.#ledger.report(now)
  }

  close(): void {
    for (const controller of this.#sending.values()) controller.abort()
    this.#journal.close()
  }

  #record(record: JournalRecord): void {
    this.#journal.append(record)
    this.#ledger.apply(record)
  }

  /** The service may have another port than when the call was restored. */
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

  async #send(call: AgentCall, callback: Callback, signal: AbortSignal): Promise<void> {
    const { webhook, speed, log } = this.#options
    try {
      const status = await deliver(callback, { address: () => this.#addressOf(call), webhook, speed, signal })
      if (status === undefined) return log(`voice agent: gave up on ${callback.eventId}`)
      if (status >= 400) log(`voice agent: ${callback.eventId} was refused with ${status}`)
      this.#record({ record: 'acknowledged', key: call.key, callback: callback.id, at: Date.now(), status })
    } catch (error) {
      if (!signal.aborted) log(`voice agent: ${callback.eventId} failed: ${error}`)
    }
  }
}
