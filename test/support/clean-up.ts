import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from '@jest/globals'

/** Gives each test its own directory and cleanup steps. Steps run in reverse order; the directory is removed last. */
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
