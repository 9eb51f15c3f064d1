import { afterAll, beforeAll } from '@jest/globals'

/** Starts something before a suite's first test, and stops it after the last. @returns a function that gives the started value */
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
