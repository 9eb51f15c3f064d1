import { useLayoutEffect, useState } from 'preact/hooks'

/** A value that several components show. */
export interface Store<T> {
  readonly get: () => T
  readonly set: (value: T) => void
  /** @returns a function that ends it */
  readonly subscribe: (listener: () => void) => () => void
}

export const createStore = <T>(initial: T): Store<T> => {
  let current = initial
  const listeners = new Set<() => void>()
  return {
    get: () => current,
    set: (value) => {
      current = value
      for (const listener of [...listeners]) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The present value. The component is drawn again when it changes. */
export const useStore = <T>(store: Store<T>): T => {
  const [value, setValue] = useState(store.get)
  useLayoutEffect(() => {
    const take = () => setValue(store.get)
    take()
    return store.subscribe(take)
  }, [store])
  return value
}

/** Resolves once the value satisfies a condition. Never resolves after the signal has aborted. */
export const whenStore = <T>(store: Store<T>, isWanted: (value: T) => boolean, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (isWanted(store.get())) return resolve()
    const check = () => {
      if (!isWanted(store.get())) return
      end()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const end = store.subscribe(check)
    signal.addEventListener('abort', end, { once: true })
  })
