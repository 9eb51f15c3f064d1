import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from '@jest/globals'

/** A directory of each test's own, and steps that are taken when it has ended: the last one first, the directory goes at the end. */
export const cleanUpEach = (prefix: string) => {
  let path = ''
  let steps: (() => unknown)[] = []
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), `${prefix}-`))
    steps = [() => rmSync(path, { recursive: true, force: true })]
  })
  afterEach(async () => {
    for (const step of steps.reverse()) await step()
  })
  return {
    directory: (): string => path,
    cleanUp: (...more: (() => unknown)[]): void => {
      steps.push(...more)
    },
  }
}
