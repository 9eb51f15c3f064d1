import { afterAll, beforeAll } from '@jest/globals'

/** What a suite has from before its first test until after its last. @returns it, while it is there */
export const duringSuite = <T>(start: () => Promise<T>, stop: (started: T) => Promise<unknown>): (() => T) => {
  let started: { readonly value: T } | undefined
  beforeAll(async () => {
    started = { value: await start() }
  })
  afterAll(() => started && stop(started.value))
  return () => {
    if (started === undefined) throw new Error('It is not started.')
    return started.value
  }
}
