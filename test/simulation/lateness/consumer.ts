import type { SQSBatchResponse, SQSEvent } from 'aws-lambda'
import type { Chance } from './chance.ts'
import type { QueueMessage, VirtualQueue } from './queue.ts'
import type { VirtualTime } from './virtual-time.ts'

/** Lambda starts with this many runs at once, and adds this many each second while messages wait. */
const FIRST_RUNS = 5
const MORE_RUNS_PER_SECOND = 5
/** Lambda also scales back while no messages wait. AWS does not say how fast: as fast as it scales up is an assumption. */
const FEWER_RUNS_PER_SECOND = 5
/** Milliseconds from a visible message to its function. */
const POLL = [5, 25] as const
/** Milliseconds to start a new sandbox, and to keep an idle one. */
const COLD_START = 400
const KEPT = 5 * 60_000
/** Milliseconds of computing per message. The messages of a run share its processor. */
const COMPUTING = 15

export interface ConsumerOptions {
  readonly time: VirtualTime
  readonly chance: Chance
  readonly queue: VirtualQueue
  readonly batchSize: number
  readonly maxConcurrency: number
  /** Handles one message of a batch. The messages of a batch are handled concurrently. */
  readonly run: (event: SQSEvent, message: QueueMessage) => Promise<SQSBatchResponse>
}

export interface Consumer {
  /** Takes no messages from the queue while stopped. */
  setStopped(isStopped: boolean): void
  /** `busy`: milliseconds of all runs together. */
  readonly counts: { runs: number; coldStarts: number; mostRuns: number; longest: number; busy: number }
}

const eventOf = ({ id, body, receives, sent }: QueueMessage) => {
  const attributes = { ApproximateReceiveCount: `${receives}`, ApproximateFirstReceiveTimestamp: `${sent}` }
  return { Records: [{ messageId: id, receiptHandle: id, body, attributes }] } as unknown as SQSEvent
}

/** Takes messages from the queue and runs the function, with limited concurrency. */
export const startConsumer = ({ time, chance, queue, batchSize, maxConcurrency, run }: ConsumerOptions): Consumer => {
  const counts = { runs: 0, coldStarts: 0, mostRuns: 0, longest: 0, busy: 0 }
  const idleSince: number[] = []
  let running = 0
  let stopped = false
  let allowed = Math.min(FIRST_RUNS, maxConcurrency)
  let isScaling = false

  const sandbox = async (): Promise<void> => {
    const since = idleSince.pop()
    if (since !== undefined && since > time.now() - KEPT) return
    idleSince.length = 0
    counts.coldStarts++
    await time.sleep(COLD_START)
  }

  const handle = async (messages: readonly QueueMessage[]): Promise<void> => {
    await time.sleep(chance.between(...POLL))
    await sandbox()
    const started = time.now()
    await time.sleep(COMPUTING * messages.length)
    const isDone = await Promise.all(
      messages.map((message) =>
        run(eventOf(message), message).then(
          ({ batchItemFailures }) => batchItemFailures.length === 0,
          () => false,
        ),
      ),
    )
    for (const [place, message] of messages.entries()) if (isDone[place]) queue.delete(message)
    idleSince.push(time.now())
    counts.longest = Math.max(counts.longest, time.now() - started)
    counts.busy += time.now() - started
  }

  const least = (): number => Math.max(Math.min(FIRST_RUNS, maxConcurrency), running)
  const most = (): number => (queue.waiting() > 0 ? maxConcurrency : least())
  const scale = (): void => {
    isScaling = allowed !== most()
    if (!isScaling) return
    time.at(time.now() + 1000, () => {
      allowed = queue.waiting() > 0 ? Math.min(most(), allowed + MORE_RUNS_PER_SECOND) : Math.max(least(), allowed - FEWER_RUNS_PER_SECOND)
      take()
      scale()
    })
  }

  const take = (): void => {
    while (!stopped && running < allowed && queue.waiting() > 0) {
      running++
      counts.runs++
      counts.mostRuns = Math.max(counts.mostRuns, running)
      void handle(queue.receive(batchSize)).then(() => {
        running--
        take()
      })
    }
    if (!isScaling) scale()
  }

  queue.onReady(take)
  return {
    counts,
    setStopped: (isStopped) => {
      stopped = isStopped
      take()
    },
  }
}
