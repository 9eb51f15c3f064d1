import { ApiError } from '../client/api-error.ts'
import { LeadOutreachClient } from '../client/client.ts'
import { sleep } from '../client/retry.ts'
import { takeServiceTime } from './service-clock.ts'
import { createStore } from './store.ts'

/** How the last request went. `lost`: no answer. `failing`: an error of the service. `busy`: too many requests. */
type Connection = 'fine' | 'lost' | 'failing' | 'busy'

export const connection = createStore<Connection>('fine')

/** Address of the service: the page is one folder below it. */
export const BASE = new URL('..', import.meta.url).href

const stateOf = (status: number): Connection => (status === 429 ? 'busy' : status >= 500 ? 'failing' : 'fine')

/** Seconds for which an error is shown when the service does not say how long to wait. */
const SHOWN_SECONDS = 10

let end: ReturnType<typeof setTimeout> | undefined

/** Shows how a request went. An error of the service goes after a while: a view may have nothing more to ask. */
const show = ({ status, headers }: Response): void => {
  const state = stateOf(status)
  clearTimeout(end)
  connection.set(state)
  if (state === 'fine') return
  end = setTimeout(() => connection.set('fine'), 1000 * (Number(headers.get('retry-after')) || SHOWN_SECONDS))
}

/** Lasts until an answer comes. */
const showLoss = (): void => {
  clearTimeout(end)
  connection.set('lost')
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
        show(answer)
        takeServiceTime(answer)
        if (answer.status === 401) onRefused()
        return answer
      } catch (failure) {
        // An aborted request tells nothing, but a request that took too long does.
        if (!(failure instanceof DOMException && failure.name === 'AbortError')) showLoss()
        throw failure
      }
    },
  })
