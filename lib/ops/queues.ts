import { inLanes } from '#shared/platform/lanes.ts'
import { countMessages, type QueueCounts } from '#shared/platform/queues/queue-counts.ts'
import { dropLetter, sendLetter, takeLetters } from '#shared/platform/queues/queue-letters.ts'
import { OpsRefusal } from './refusal.ts'
import type { OpsEnvironment } from './surroundings.ts'

/** Queue names for operators, with the prefix of the environment variables that hold each queue's URLs. */
export const QUEUE_VARIABLES = {
  calls: 'CALL',
  deliveries: 'DELIVERY',
  'slow-deliveries': 'SLOW_DELIVERY',
  updates: 'UPDATE',
  ingestion: 'INGESTION',
  events: 'EVENT',
  'contact-events': 'CONTACT_EVENT',
} as const

/** Dead letters of the table's stream: changes that could not become events, and changes that could not be counted. */
export const GIVEN_UP = 'given-up'
export const UNCOUNTED = 'uncounted'

/** Dead letters without a source queue, by the environment variable with their URL. */
const LETTERS_ONLY = { [GIVEN_UP]: 'GIVEN_UP_QUEUE_URL', [UNCOUNTED]: 'UNCOUNTED_QUEUE_URL' } as const

type Environment = OpsEnvironment['environment']

interface Queue {
  readonly name: string
  /** Null when there is only a dead-letter queue. */
  readonly url: string | null
  readonly deadLettersUrl: string
}

export const queuesOf = (environment: Environment): Queue[] => [
  ...Object.entries(QUEUE_VARIABLES).flatMap(([name, variable]) => {
    const [url, deadLettersUrl] = [environment[`${variable}_QUEUE_URL`], environment[`${variable}_DEAD_LETTERS_URL`]]
    return url && deadLettersUrl ? [{ name, url, deadLettersUrl }] : []
  }),
  ...Object.entries(LETTERS_ONLY).flatMap(([name, variable]) => {
    const deadLettersUrl = environment[variable]
    return deadLettersUrl ? [{ name, url: null, deadLettersUrl }] : []
  }),
]

export interface QueueState extends QueueCounts {
  readonly queue: string
  readonly dead_letters: number
  /** When the oldest of ten dead letters was first sent; null where there are none. */
  readonly dead_letters_since: string | null
}

const NONE: QueueCounts = { waiting: 0, in_flight: 0, delayed: 0 }

/** The letters stay visible. Nothing consumes dead letters, so this receive does not count as an attempt. */
const oldest = async (url: string): Promise<string | null> => {
  const sent = (await takeLetters(url, 0)).map((letter) => letter.sent).filter((at) => at > 0)
  return sent.length === 0 ? null : new Date(Math.min(...sent)).toISOString()
}

/** The local engine also counts in-flight messages as waiting. */
export const countIn = async (url: string, environment: Environment): Promise<QueueCounts> => {
  const counts = await countMessages(url)
  const isLocal = environment['AWS_ENDPOINT_URL_SQS'] !== undefined
  return isLocal ? { ...counts, waiting: Math.max(0, counts.waiting - counts.in_flight) } : counts
}

/** The state of each queue. The counts are approximate, as SQS gives them. */
export const queueStates = (environment: Environment): Promise<QueueState[]> =>
  inLanes(4, queuesOf(environment), async ({ name, url, deadLettersUrl }) => {
    const [counts, dead] = await Promise.all([url === null ? NONE : countIn(url, environment), countIn(deadLettersUrl, environment)])
    return {
      queue: name,
      ...counts,
      dead_letters: dead.waiting + dead.in_flight + dead.delayed,
      dead_letters_since: dead.waiting > 0 ? await oldest(deadLettersUrl) : null,
    }
  })

const queueNamed = (name: string, environment: Environment): Queue & { readonly url: string } => {
  const queues = queuesOf(environment)
  const queue = queues.find((each) => each.name === name)
  if (!queue) throw new OpsRefusal(`The service has no queue ${name}. It has: ${queues.map((each) => each.name).join(', ')}.`)
  const { url } = queue
  if (url === null) {
    throw new OpsRefusal(
      'Dead letters of the stream are not messages and cannot be sent again. Each names a change of the table that could not be read, or not be handled in time.',
    )
  }
  return { ...queue, url }
}

/** Seconds. A letter stays hidden this long during a redrive. After a crash it becomes visible again. */
const HIDDEN = 60
/** Empty receives before a queue counts as empty. */
export const EMPTY_LOOKS = 2

interface Redriven {
  readonly queue: string
  readonly found: number
  readonly sent: number
}

/**
 * Sends dead letters back to their queue. Each is deleted only after it is sent: a crash loses none, and may send one twice, which
 * consumers tolerate.
 * @param limit most letters; undefined: as many as there are now
 * @param onSent is called with the number sent so far
 */
export const redrive = async (
  name: string,
  { limit, dryRun }: { readonly limit: number | undefined; readonly dryRun: boolean },
  { environment, onSent }: { readonly environment: Environment; readonly onSent: (sent: number) => void },
): Promise<Redriven> => {
  const { url, deadLettersUrl } = queueNamed(name, environment)
  const { waiting: found } = await countIn(deadLettersUrl, environment)
  // A letter that fails again during the redrive must not be sent again and again.
  const most = Math.min(limit ?? found, found)
  if (dryRun) return { queue: name, found, sent: 0 }
  let sent = 0
  for (let empty = 0; sent < most && empty < EMPTY_LOOKS; ) {
    const letters = await takeLetters(deadLettersUrl, HIDDEN, most - sent)
    empty = letters.length === 0 ? empty + 1 : 0
    for (const letter of letters) {
      await sendLetter(url, letter)
      await dropLetter(deadLettersUrl, letter)
      sent++
    }
    if (letters.length > 0) onSent(sent)
  }
  return { queue: name, found, sent }
}

/** Whether the events queue holds messages, by its approximate counts. */
export const areEventsUnderWay = async (environment: Environment): Promise<boolean> => {
  const events = queuesOf(environment).find(({ name }) => name === 'events')
  if (!events?.url) return false
  const { waiting, in_flight, delayed } = await countIn(events.url, environment)
  return waiting + in_flight + delayed > 0
}
