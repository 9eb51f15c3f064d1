import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'

const COMMAND = fileURLToPath(new URL('simulate.ts', import.meta.url))
/** Eight calls start in a second. The table takes 1.3 times what they need. */
const SMALL = ['--short', '--lines', '50', '--lanes', '3', '--bulks', '1', '--deliveries', '50', '--seconds', '8']

const pressure = (...args: string[]) =>
  new Promise<{ code: unknown; output: string }>((resolve) => {
    execFile(process.execPath, ['--no-warnings', COMMAND, 'pressure', '--quiet', ...args], (error, output) =>
      resolve({ code: error?.code ?? 0, output }),
    )
  })

/** The short form of `npm run simulate -- pressure`. */
describe('the pressure simulation', () => {
  it('calls and their reports hardly slow down when files, bulk requests and webhooks want more than the table takes', async () => {
    const { code, output } = await pressure(...SMALL)
    expect(output.split('\n').filter((line) => line.includes('BROKEN'))).toEqual([])
    expect(output).toContain('Every bound holds.')
    expect(code).toBe(0)
  })
})
