import { SECOND } from '#shared/platform/values/durations.ts'
import { ApiError } from '../client/api-error.ts'
import { LeadOutreachClient } from '../client/client.ts'
import { sleep } from '../client/retry.ts'
import { serviceTime, takeServiceTime } from './service-clock.ts'
import { createStore } from './store.ts'

/** How the last request went. `lost`: no answer. `failing`: an error of the service. `busy`: too many requests, of which reads wait `until`. */
type Connection = { readonly state: 'fine' | 'lost' | 'failing' } | { readonly state: 'busy'; readonly until: number }

const FINE: Connection = { state: 'fine' }

export const connection = createStore<Connection>(FINE)

/** Address of the service: the page is one folder below it. */
export const BASE = new URL('..', import.meta.url).href

/** Seconds for which an error is shown when the service does not say how long to wait. */
const SHOWN_SECONDS = 10

let end: ReturnType<typeof setTimeout> | undefined

/** Until when reads wait that had the answer 429, by the clock of the service. Meanwhile, other requests may have better answers. */
let busyUntil = 0

const afterAnswer = (status: number, seconds: number): Connection => {
  const now = serviceTime()
  if (status === 429) busyUntil = Math.max(busyUntil, now + seconds * SECOND)
  else if (status >= 500) return { state: 'failing' }
  return busyUntil > now ? { state: 'busy', until: busyUntil } : FINE
}

/** Forgets that reads wait: they are tried again now, or another user is signed in. */
export const endWait = (): void => {
  clearTimeout(end)
  busyUntil = 0
  connection.set(FINE)
}

/** Shows how a request went. An error of the service goes after a while: a view may have nothing more to ask. */
const show = ({ status, headers }: Response): void => {
  const seconds = Number(headers.get('retry-after')) || SHOWN_SECONDS
  const latest = afterAnswer(status, seconds)
  clearTimeout(end)
  connection.set(latest)
  if (latest.state === 'fine') return
  end = setTimeout(() => connection.set(FINE), latest.state === 'busy' ? latest.until - serviceTime() : seconds * SECOND)
}

/** Lasts until an answer comes. */
const showLoss = (): void => {
  clearTimeout(end)
  connection.set({ state: 'lost' })
}

/** Whether the service refused the key of a request: it has ended, or was never valid. */
export const isKeyRefused = (failure: unknown): boolean => failure instanceof ApiError && failure.status === 401

interface ClientOptions {
  readonly key: string
  /** The user that a staff member has chosen. */
  readonly actAsUser: number | undefined
  /** The key is not valid any more. */
  readonly onRefused: () => void
  /** How often the client itself repeats a request. */
  readonly retries: number
  /** How many answers it keeps, to ask only whether they changed. The browser itself keeps none: its memory outlives the tab. */
  readonly keptAnswers: number
  /** Ends the client: it sends and repeats nothing any more. */
  readonly signal: AbortSignal
}

/** The client of the API. Every answer, and every lack of one, shows in `connection`. */
export const createClient = ({ key, onRefused, signal, ...options }: ClientOptions): LeadOutreachClient =>
  new LeadOutreachClient({
    ...options,
    url: BASE,
    apiKey: key,
    sleep: (milliseconds) => sleep(milliseconds, signal),
    fetch: async (address, init) => {
      try {
        signal.throwIfAborted()
        const answer = await fetch(address, { ...init, cache: 'no-store', credentials: 'omit' })
        takeServiceTime(answer)
        show(answer)
        if (answer.status === 401) onRefused()
        return answer
      } catch (failure) {
        // An aborted request tells nothing, but a request that took too long does.
        if (!(failure instanceof DOMException && failure.name === 'AbortError')) showLoss()
        throw failure
      }
    },
  })
