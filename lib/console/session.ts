import { ApiError } from '../client/api-error.ts'
import type { LeadOutreachClient } from '../client/client.ts'
import type { User } from '../client/operations.ts'
import { sleep } from '../client/retry.ts'
import { BASE, createClient } from './connection.ts'
import { readDelay } from './hooks/read-delay.ts'
import { forgetFragment } from './route.ts'
import { createStore, type Store } from './store.ts'
import { texts } from './texts.ts'

/** The browser drops it with the tab. */
const STORED = 'lead-outreach-key'

interface Session {
  readonly state: 'checking' | 'in' | 'out'
  /** Stays when the key ends, so that the same user continues where the work was interrupted. */
  readonly user: User | undefined
  /** Why nobody is signed in. */
  readonly reason: string
}

const OUT: Session = { state: 'out', user: undefined, reason: '' }

export const session = createStore<Session>(OUT)

/** A store that is emptied when the user changes. */
export const createUserStore = <T>(initial: T): Store<T> => {
  const store = createStore(initial)
  let userId: number | undefined
  session.subscribe(() => {
    const id = session.get().user?.id
    if (id === userId) return
    userId = id
    store.set(initial)
  })
  return store
}

interface Clients {
  /** Its requests are repeated by those who show what they read. */
  readonly reading: LeadOutreachClient
  readonly acting: LeadOutreachClient
}

/** Answers that polls may repeat. A view asks for at most five. */
const MOST_KEPT = 20

let clients: Clients | undefined

const clientsOf = (key: string): Clients => {
  const onRefused = () => {
    // A late answer to an earlier key says nothing about the present one.
    if (clients !== made) return
    sessionStorage.removeItem(STORED)
    session.set({ ...session.get(), state: 'out', reason: texts.signIn.ended })
  }
  const made = {
    reading: createClient({ key, onRefused, retries: 0, keptAnswers: MOST_KEPT }),
    acting: createClient({ key, onRefused, retries: 3, keptAnswers: 0 }),
  }
  return made
}

/** @throws Error while nobody is signed in */
export const signedInClients = (): Clients => {
  if (!clients) throw new Error(texts.signIn.needed)
  return clients
}

export const signOut = (): void => {
  clients = undefined
  sessionStorage.removeItem(STORED)
  session.set({ ...OUT, reason: texts.signIn.signedOut })
}

const refusalOf = (failure: unknown): string => {
  if (failure instanceof ApiError && failure.status === 401) return texts.signIn.refused
  return failure instanceof ApiError ? texts.failures.service(failure.status) : texts.failures.noAnswer
}

/** Signs in when the service knows the key. Otherwise the session says why not. */
export const signIn = async (key: string): Promise<void> => {
  const before = session.get()
  session.set({ ...before, state: 'checking', reason: '' })
  try {
    const checked = clientsOf(key)
    const { data: user } = await checked.acting.request('GET /api/users/me/')
    clients = checked
    sessionStorage.setItem(STORED, key)
    session.set({ state: 'in', user, reason: '' })
  } catch (failure) {
    session.set({ ...before, state: 'out', reason: refusalOf(failure) })
  }
}

/** After a reload of the page. A lost network must not sign the user out. */
const resume = async (key: string): Promise<void> => {
  session.set({ ...OUT, state: 'checking' })
  for (let attempt = 0; ; attempt++) {
    try {
      const checked = clientsOf(key)
      const { data: user } = await checked.reading.request('GET /api/users/me/')
      clients = checked
      return session.set({ state: 'in', user, reason: '' })
    } catch (failure) {
      const delay = readDelay(failure, attempt)
      if (delay === undefined) {
        sessionStorage.removeItem(STORED)
        return session.set({ ...OUT, reason: refusalOf(failure) })
      }
      await sleep(delay)
    }
  }
}

/** The local service gives the demo user's key for the code of the link that it printed. */
const exchange = async (code: string): Promise<string | undefined> => {
  try {
    const answer = await fetch(new URL('local/sign-in', BASE), { method: 'POST', body: code, credentials: 'omit', cache: 'no-store' })
    return answer.ok ? await answer.text() : undefined
  } catch {
    return undefined
  }
}

const CODE = /^#code=([\w-]+)$/

/** Signs in by the code in the address, if there is one. */
export const signInByLink = async (): Promise<void> => {
  const code = CODE.exec(location.hash)?.[1]
  if (code === undefined) return
  // The code must not stay in the address, where it could be copied or kept.
  forgetFragment()
  const before = session.get()
  const key = await exchange(code)
  if (key !== undefined) await signIn(key)
  else if (before.state !== 'in') session.set({ ...OUT, reason: texts.signIn.usedLink })
}

/** Signs in by the code in the address, or by the key of this tab. */
export const startSession = async (): Promise<void> => {
  const stored = sessionStorage.getItem(STORED)
  await signInByLink()
  if (session.get().state === 'out' && stored !== null) await resume(stored)
}
