import { ChangeMessageVisibilityCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs'
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda'
import { mockClient } from 'aws-sdk-client-mock'
import { SECOND } from '#shared/platform/values/durations.ts'
import { NO_TIME_FOR_FURTHER } from '#test/support/world.ts'
import type { Chance } from '../lateness/chance.ts'

/** Seconds for which a received message is hidden, unless its consumer changes that. */
const VISIBILITY = 60
/** Most deliveries of one message. */
const MOST_RECEIVES = 12

export interface RaceQueue {
  /** Delivers a lead's dial messages from now on. @returns those held back so far, each once */
  release(lead: number): string[]
  deliver(body: string, afterMs: number): void
  /** Delivers a message now. Resolves when it was handled. */
  deliverNow(body: string): Promise<void>
  /** Resolves when no message is being handled. */
  settle(): Promise<void>
  /** Delivers all pending messages now, and those that follow from them. */
  drain(): Promise<void>
  /** Every run of a message about a lead. `begun`: `performance.now()` at its start. */
  readonly runs: readonly { readonly lead: number; readonly begun: number }[]
  readonly counts: { sent: number; received: number; returned: number; givenUp: number }
  stop(): void
}

interface Options {
  readonly handler: (event: SQSEvent, context: typeof NO_TIME_FOR_FURTHER) => Promise<SQSBatchResponse>
  readonly chance: Chance
  /** Least and most share of a requested visibility timeout until the message is visible again. Queues may show it early. */
  readonly pace: readonly [number, number]
}

const leadOf = (body: string): number | undefined => {
  const { type, lead_id } = JSON.parse(body) as { type: string; lead_id?: number }
  return type === 'dial' ? lead_id : undefined
}

/** The lead of a message, for a dial and for what follows a call. */
const aboutLead = (body: string): number => {
  const { lead_id, call_id } = JSON.parse(body) as { lead_id?: number; call_id?: string }
  return lead_id ?? Number.parseInt(`${call_id}`, 10)
}

/** The call queue and its consumer, in real time. Holds dial messages back until their race begins. */
export const startQueue = (callQueue: string, { handler, chance, pace }: Options): RaceQueue => {
  const runs: { lead: number; begun: number }[] = []
  const counts = { sent: 0, received: 0, returned: 0, givenUp: 0 }
  const released = new Set<number>()
  const held = new Map<number, Set<string>>()
  const hiddenUntil = new Map<string, number>()
  const pending = new Map<NodeJS.Timeout, () => void>()
  const running = new Set<Promise<void>>()
  let isHurried = false

  const start = (run: () => Promise<void>): Promise<void> => {
    const ended = run().finally(() => running.delete(ended))
    running.add(ended)
    return ended
  }
  const later = (afterMs: number, run: () => Promise<void>): void => {
    const begin = (): void => {
      clearTimeout(timer)
      pending.delete(timer)
      void start(run)
    }
    const timer = setTimeout(begin, isHurried ? 0 : afterMs)
    pending.set(timer, begin)
  }
  const receive = async (body: string, receives: number): Promise<void> => {
    const receipt = `${++counts.received}`
    runs.push({ lead: aboutLead(body), begun: performance.now() })
    hiddenUntil.set(receipt, performance.now() + VISIBILITY * SECOND)
    const event = { Records: [{ messageId: receipt, receiptHandle: receipt, body }] } as SQSEvent
    const { batchItemFailures } = await handler(event, NO_TIME_FOR_FURTHER)
    const visible = hiddenUntil.get(receipt) ?? 0
    hiddenUntil.delete(receipt)
    if (batchItemFailures.length === 0) return
    counts.returned++
    if (receives >= MOST_RECEIVES) counts.givenUp++
    else later(Math.max(0, visible - performance.now()), () => receive(body, receives + 1))
  }
  const deliver = (body: string, afterMs: number): void => later(afterMs, () => receive(body, 1))

  const send = (body: string, delaySeconds: number): void => {
    counts.sent++
    const lead = leadOf(body)
    if (lead === undefined || released.has(lead)) deliver(body, delaySeconds * SECOND)
    else held.set(lead, (held.get(lead) ?? new Set()).add(body))
  }
  const sqs = mockClient(SQSClient)
  sqs.on(SendMessageBatchCommand).callsFake(({ QueueUrl, Entries = [] }) => {
    for (const { MessageBody, DelaySeconds } of QueueUrl === callQueue ? Entries : []) send(MessageBody, DelaySeconds ?? 0)
    return { Successful: [] }
  })
  sqs.on(ChangeMessageVisibilityCommand).callsFake(({ ReceiptHandle, VisibilityTimeout }) => {
    hiddenUntil.set(ReceiptHandle, performance.now() + VisibilityTimeout * SECOND * chance.between(...pace))
    sqs.resetHistory()
    return {}
  })

  return {
    runs,
    counts,
    deliver,
    deliverNow: (body) => start(() => receive(body, 1)),
    release: (lead) => {
      released.add(lead)
      const bodies = [...(held.get(lead) ?? [])]
      held.delete(lead)
      return bodies
    },
    settle: async () => {
      while (running.size > 0) await Promise.all(running)
    },
    drain: async () => {
      isHurried = true
      while (pending.size > 0 || running.size > 0) {
        for (const begin of [...pending.values()]) begin()
        await Promise.all(running)
      }
      isHurried = false
    },
    stop: () => {
      for (const timer of pending.keys()) clearTimeout(timer)
      pending.clear()
      sqs.restore()
    },
  }
}
