import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'

const COMMAND = fileURLToPath(new URL('simulate.ts', import.meta.url))
/** As small as possible: two lanes of the file, and calls that start three times a second. */
const SMALL = ['--short', '--lines', '20', '--lanes', '2', '--bulks', '1', '--deliveries', '10', '--seconds', '10']

const pressure = (...args: string[]) =>
  new Promise<{ code: unknown; output: string }>((resolve) => {
    execFile(process.execPath, ['--no-warnings', COMMAND, 'pressure', '--quiet', ...args], (error, output) =>
      resolve({ code: error?.code ?? 0, output }),
    )
  })

/** The short form of `npm run simulate -- pressure`. */
describe('the pressure simulation', () => {
  it('files, bulk requests and webhooks slow down in this order when the table throttles, and calls never', async () => {
    const { code, output } = await pressure(...SMALL)
    expect(output.split('\n').filter((line) => line.includes('BROKEN'))).toEqual([])
    expect(output).toContain('Every bound holds.')
    expect(code).toBe(0)
  })
})
