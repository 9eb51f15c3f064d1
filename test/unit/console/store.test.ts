import { describe, expect, it } from '@jest/globals'
import { createStore, whenStore } from '#lib/console/store.ts'

/** A signal that counts its listeners, as a view that polls for hours has one. */
const countedSignal = () => {
  const { signal } = new AbortController()
  const listeners = new Set<unknown>()
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)]
  signal.addEventListener = (type: string, listener: never, options?: unknown) => {
    listeners.add(listener)
    add(type, listener, options as never)
  }
  signal.removeEventListener = (type: string, listener: never) => {
    listeners.delete(listener)
    remove(type, listener)
  }
  return { signal, listeners }
}

describe('the wait for a value of a store', () => {
  it('a signal has no more listeners after many waits', async () => {
    const { signal, listeners } = countedSignal()
    const store = createStore(0)
    for (let wanted = 0; wanted < 100; wanted++) {
      const reached = whenStore(store, (value) => value >= wanted, signal)
      store.set(wanted)
      await reached
    }
    expect(listeners.size).toBe(0)
  })

  it('a wait whose signal aborts ends without a value', async () => {
    const control = new AbortController()
    const store = createStore(0)
    let isReached = false
    void whenStore(store, (value) => value === 1, control.signal).then(() => {
      isReached = true
    })
    control.abort()
    store.set(1)
    await Promise.resolve()
    expect(isReached).toBe(false)
  })
})
