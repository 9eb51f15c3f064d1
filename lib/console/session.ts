import { SECOND } from '#shared/platform/values/durations.ts'
import { ApiError } from '../client/api-error.ts'
import type { LeadOutreachClient } from '../client/client.ts'
import type { User } from '../client/operations.ts'
import { sleep } from '../client/retry.ts'
import { BASE, createClient, endWait, isKeyRefused } from './connection.ts'
import { readDelay } from './hooks/read-delay.ts'
import { forgetFragment, startAfresh } from './route.ts'
import { serviceTime } from './service-clock.ts'
import { createStore, type Store } from './store.ts'
import { texts } from './texts.ts'
import { ownZone, shortTimeIn } from './times.ts'
import { whenVisible } from './visibility.ts'

/** The browser drops both with the tab. */
const STORED_KEY = 'lead-outreach-key'
const STORED_USER = 'lead-outreach-user'

interface Session {
  readonly state: 'checking' | 'in' | 'out'
  /**
   * The user whose data the views show: who signed in, or the user that a staff member has chosen. Stays when the key ends, so that the same
   * user continues where the work was interrupted.
   */
  readonly user: User | undefined
  /** The staff member who is signed in, if it is one. */
  readonly staff: User | undefined
  /** Why nobody is signed in. */
  readonly reason: string
}

const OUT: Session = { state: 'out', user: undefined, staff: undefined, reason: '' }

export const session = createStore<Session>(OUT)

/** Names who is signed in and whose data the views show. What one pair has read or typed must not show under another. */
export const identityOf = ({ user, staff }: Pick<Session, 'user' | 'staff'>): string => `${staff?.id ?? ''} ${user?.id ?? ''}`

/** A store that is emptied when another user signs in or is chosen. */
export const createUserStore = <T>(initial: T): Store<T> => {
  const store = createStore(initial)
  let identity = identityOf(OUT)
  session.subscribe(() => {
    const present = identityOf(session.get())
    if (present === identity) return
    identity = present
    store.set(initial)
  })
  return store
}

interface Clients {
  /** Its requests are repeated by those who show what they read. */
  readonly reading: LeadOutreachClient
  readonly acting: LeadOutreachClient
  /** Reads with the rights of the user who is signed in, also while it acts for another. */
  readonly own: LeadOutreachClient
  /** For the same key and a chosen user. Undefined: the user of the key itself. */
  readonly forUser: (id: number | undefined) => Clients
  /** Lets no client of the key send anything any more. A request on its way still arrives. */
  readonly end: () => void
}

/** Answers that polls may repeat. A view polls about ten at most. Between two polls, the view Now may read about thirty leads. */
const MOST_KEPT = 60

let clients: Clients | undefined

const clientsOf = (key: string, actAsUser?: number, control = new AbortController()): Clients => {
  const onRefused = () => {
    // A late answer to an earlier key says nothing about the present one.
    if (clients !== made) return
    sessionStorage.removeItem(STORED_KEY)
    session.set({ ...session.get(), state: 'out', reason: texts.signIn.ended })
  }
  const shared = { key, onRefused, signal: control.signal }
  const reader = (user: number | undefined) => createClient({ ...shared, actAsUser: user, retries: 0, keptAnswers: MOST_KEPT })
  const made: Clients = {
    reading: reader(actAsUser),
    acting: createClient({ ...shared, actAsUser, retries: 3, keptAnswers: 0 }),
    own: reader(undefined),
    forUser: (id) => clientsOf(key, id, control),
    end: () => control.abort(),
  }
  return made
}

/** @throws Error while nobody is signed in */
export const signedInClients = (): Clients => {
  if (!clients) throw new Error(texts.signIn.needed)
  return clients
}

/** Who was signed in last in this tab. It outlives a sign-out. */
let lastIdentity: string | undefined

/** Drops all that was read for the former user: it belongs to views and clients that end here. */
const enter = (chosen: Clients, user: User, staff: User | undefined): void => {
  clients = chosen
  endWait()
  lastIdentity = identityOf({ user, staff })
  if (staff && user.id !== staff.id) sessionStorage.setItem(STORED_USER, `${user.id}`)
  else sessionStorage.removeItem(STORED_USER)
  session.set({ state: 'in', user, staff, reason: '' })
}

/** Lets a staff member see and do everything as another user, until it chooses itself again. */
export const actFor = (user: User): void => {
  const { staff, state } = session.get()
  // The key may have ended before the user was found.
  if (staff && state === 'in') enter(signedInClients().forUser(user.id === staff.id ? undefined : user.id), user, staff)
}

export const signOut = (): void => {
  clients?.end()
  clients = undefined
  sessionStorage.removeItem(STORED_KEY)
  sessionStorage.removeItem(STORED_USER)
  session.set({ ...OUT, reason: texts.signIn.signedOut })
}

const refusalOf = (failure: unknown): string => {
  if (isKeyRefused(failure)) return texts.signIn.refused
  return failure instanceof ApiError ? texts.failures.service(failure.status) : texts.failures.noAnswerToRead
}

/** The user whose data a client reads. */
const userOf = async (client: LeadOutreachClient): Promise<User> => (await client.request('GET /api/users/me/')).data

/** @returns undefined when the user does not exist any more, or may not be chosen any more */
const chosenUser = async (client: LeadOutreachClient): Promise<User | undefined> => {
  try {
    return await userOf(client)
  } catch (failure) {
    if (failure instanceof ApiError && (failure.status === 403 || failure.status === 404)) return undefined
    throw failure
  }
}

let latestAttempt = 0

/** @returns whether no later attempt to sign in has begun: the latest one wins */
const beginAttempt = (): (() => boolean) => {
  const attempt = ++latestAttempt
  return () => attempt === latestAttempt
}

/**
 * Begins the session of a key, unless another attempt has begun. @param by the client that asks
 * @param chosenBy the user that the staff member had chosen before
 * @throws what the service says
 */
const begin = async (
  isLatest: () => boolean,
  key: string,
  by: 'acting' | 'reading',
  chosenBy: (staff: User) => number | undefined,
): Promise<void> => {
  const own = clientsOf(key)
  const user = await userOf(own[by])
  const staff = user.is_staff ? user : undefined
  const id = staff && chosenBy(staff)
  const others = id === undefined ? undefined : own.forUser(id)
  const chosen = others && (await chosenUser(others[by]))
  if (!isLatest()) return
  sessionStorage.setItem(STORED_KEY, key)
  const shown = chosen ?? user
  const identity = identityOf({ user: shown, staff })
  if (lastIdentity !== undefined && lastIdentity !== identity) startAfresh()
  enter(others && chosen ? others : own, shown, staff)
}

/** Characters of keys. A browser sends no others in a header, such as those that a text program adds when a key is copied. */
const KEY = /^[!-~]+$/

/** Signs in when the service knows the key. Otherwise the session says why not. */
export const signIn = async (key: string): Promise<void> => {
  const before = session.get()
  if (!KEY.test(key)) return session.set({ ...before, state: 'out', reason: texts.signIn.refused })
  const isLatest = beginAttempt()
  session.set({ ...before, state: 'checking', reason: '' })
  try {
    await begin(isLatest, key, 'acting', ({ id }) => (before.staff?.id === id && before.user?.id !== id ? before.user?.id : undefined))
  } catch (failure) {
    if (isLatest()) session.set({ ...before, state: 'out', reason: refusalOf(failure) })
  }
}

/** The user that was chosen before a reload of the page. */
const storedUser = (): number | undefined => Number(sessionStorage.getItem(STORED_USER) ?? '') || undefined

/** Milliseconds. For a longer wait, the page says when it ends. */
const LONG_WAIT = 10 * SECOND

/** After a reload of the page. A lost network must not sign the user out. Meanwhile, the user may sign in with another key. */
const resume = async (key: string): Promise<void> => {
  const isLatest = beginAttempt()
  session.set({ ...OUT, state: 'checking' })
  for (let attempt = 0; isLatest(); attempt++) {
    await whenVisible()
    try {
      return await begin(isLatest, key, 'reading', storedUser)
    } catch (failure) {
      if (!isLatest()) return
      const delay = readDelay(failure, attempt)
      if (delay === undefined) {
        sessionStorage.removeItem(STORED_KEY)
        return session.set({ ...OUT, reason: refusalOf(failure) })
      }
      const until = delay > LONG_WAIT ? shortTimeIn(ownZone(), serviceTime() + delay) : undefined
      session.set({ ...OUT, reason: texts.signIn.resuming(until) })
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
  const stored = sessionStorage.getItem(STORED_KEY)
  await signInByLink()
  if (session.get().state === 'out' && stored !== null) await resume(stored)
}
