import { useEffect, useRef, useState } from 'preact/hooks'
import type { ApiAnswer, LeadOutreachClient } from '../../client/client.ts'
import { sleep } from '../../client/retry.ts'
import { isKeyRefused } from '../connection.ts'
import { session, signedInClients } from '../session.ts'
import { whenStore } from '../store.ts'
import { isVisible, whenVisible } from '../visibility.ts'
import { newPollPace } from './poll-pace.ts'
import { failedReads, readDelay } from './read-delay.ts'

/** Milliseconds between two requests that nobody asked for. */
const SPACING = 2000

let lastTurn = -SPACING
let line: Promise<void> = Promise.resolve()

/** Waits for a turn to read without being asked. All queries of the page share the turns. An aborted query gives up its turn. */
const takeTurn = (signal?: AbortSignal): Promise<void> => {
  const turn = line.then(async () => {
    signal?.throwIfAborted()
    await sleep(Math.max(0, lastTurn + SPACING - performance.now()), signal)
    lastTurn = performance.now()
  })
  line = turn.catch(() => {})
  return turn
}

/** Waits until the tab is visible and somebody is signed in. */
const whenWanted = async (signal: AbortSignal): Promise<void> => {
  await whenVisible(signal)
  await whenStore(session, ({ state }) => state === 'in', signal)
}

/**
 * Waits for a turn, so that many queries do not all read at once when the tab is shown again or the network is back. `taken`: a turn that was
 * taken before.
 */
export const whenTurn = async (signal: AbortSignal, taken?: Promise<void>): Promise<void> => {
  let turn = taken
  do {
    if (turn === undefined) await whenWanted(signal)
    await (turn ?? takeTurn(signal))
    signal.throwIfAborted()
    turn = undefined
  } while (!isVisible() || session.get().state !== 'in')
}

interface Read<T> {
  readonly data: T | undefined
  /** Why the data cannot be read. Failures that may pass are not here: they are tried again. */
  readonly failure: unknown
  readonly isLoading: boolean
}

export interface Query<T> extends Read<T> {
  /** Reads again at once. The old data stays until the new data comes. */
  readonly reload: () => void
  /** The same, as soon as it is this query's turn. */
  readonly refresh: () => void
}

/** Milliseconds after which it reads again; 0 for never. It may depend on what was read last. */
type Every<T> = number | ((data: T) => number)

type Load<T> = (client: LeadOutreachClient, signal: AbortSignal) => Promise<ApiAnswer<T>>

/** The same object if nothing changed, so that nothing is drawn again: a kept answer is the same object too. */
const afterAnswer = <T>(before: Read<T>, data: T): Read<T> =>
  before.data === data && before.failure === undefined && !before.isLoading ? before : { data, failure: undefined, isLoading: false }

/**
 * Reads from the API, and again when `key` changes. Waits while the tab is hidden or nobody is signed in. Retries while the service or the
 * network fails. `load`: undefined while there is nothing to read. `known`: data that was just read, so that only polls follow.
 */
export const useQuery = <T>(key: string, load: Load<T> | undefined, every: Every<T> = 0, known?: T): Query<T> => {
  const pauseAfter = (data: T): number => (typeof every === 'number' ? every : every(data))
  const [read, setRead] = useState<Read<T>>({ data: known, failure: undefined, isLoading: known === undefined })
  const [version, setVersion] = useState(0)
  /** The turn of a refresh, until it comes. */
  const turn = useRef<Promise<void> | undefined>(undefined)

  const run = async (signal: AbortSignal, taken: Promise<void> | undefined): Promise<void> => {
    if (!load) return
    if (known !== undefined && version === 0) {
      await sleep(pauseAfter(known), signal)
      await whenTurn(signal)
    } else {
      setRead((before) => ({ ...before, failure: undefined, isLoading: true }))
      await (taken === undefined ? whenWanted(signal) : whenTurn(signal, taken))
    }
    const pace = newPollPace()
    for (let attempt = 0; ; await whenTurn(signal)) {
      try {
        const answer = await load(signedInClients().reading, signal)
        signal.throwIfAborted()
        pace.note(answer)
        const { data } = answer
        setRead((before) => afterAnswer(before, data))
        const pause = pauseAfter(data)
        if (pause === 0) return
        attempt = 0
        await pace.rest(pause, signal)
      } catch (failure) {
        signal.throwIfAborted()
        // Another key may be on its way.
        if (isKeyRefused(failure)) continue
        const delay = readDelay(failure, attempt++)
        if (delay === undefined) return setRead((before) => ({ ...before, failure, isLoading: false }))
        await failedReads.wait(delay, signal)
      }
    }
  }

  useEffect(() => {
    const control = new AbortController()
    const taken = turn.current
    const endWait = (): void => {
      if (turn.current === taken) turn.current = undefined
    }
    void taken?.then(endWait)
    // It rejects only when it is aborted.
    run(control.signal, taken).catch(() => {})
    return () => {
      control.abort()
      endWait()
    }
  }, [key, version])

  const again = (inTurn: boolean) => (): void => {
    // A refresh that waits for its turn reads after this call, so it is enough.
    if (inTurn && turn.current !== undefined) return
    turn.current = inTurn ? takeTurn() : undefined
    setVersion((before) => before + 1)
  }
  return { ...read, reload: again(false), refresh: again(true) }
}
