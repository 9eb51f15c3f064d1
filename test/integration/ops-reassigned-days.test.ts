import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from '@jest/globals'
import { cleanUpEach } from '#test/support/clean-up.ts'
import { setClock } from '#test/support/clock.ts'
import { newPhone } from '#test/support/lead-requests.ts'
import { opsWorld } from '#test/support/ops-world.ts'
import { storedAnswers } from '#test/support/reassigned.ts'
import { NOON } from '#test/support/samples.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'

const { tool } = opsWorld({ withBucket: true })
const { directory } = cleanUpEach('reassigned-days')

beforeEach(() => setClock(NOON))

const importing = (content: string, asOf: string) => {
  const path = join(directory(), 'answers.csv')
  writeFileSync(path, content)
  return tool().ops(['reassigned', 'import', path, '--as-of', asOf])
}

it('reassigned import refuses a question about a day after the day of asking', async () => {
  const { code, err } = await importing('2125550100,2026-11-19,no\n2125550100,2026-11-20,no\n', '2026-11-19')
  const message = 'line 2: "2125550100,2026-11-20,no". The day that was asked about is after --as-of 2026-11-19'
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(message) })
  expect(await storedAnswers('+12125550100')).toEqual([])
})

it('reassigned import warns of answers that are too old for calls', async () => {
  const line = `${newPhone().slice(2)},2026-06-10,no\n`
  const warning = 'Warning: the answers of 2026-11-16 are too old. Only answers of 2026-11-17 or later permit calls.'
  expect(await importing(line, '2026-11-16')).toMatchObject({ code: 0, err: expect.stringContaining(warning) })
  expect((await importing(line, '2026-11-17')).err).not.toContain('Warning')
})

it('reassigned export that fails leaves no file, so the same command works again', async () => {
  const path = join(directory(), 'failed.csv')
  const failing = () => {
    if (existsSync(path)) throw new Error('The connection broke.')
  }
  const broken = await beforeEachSend(failing, () => tool().ops(['reassigned', 'export', path]))
  expect(broken).toMatchObject({ code: 1, err: expect.stringContaining('The connection broke.') })
  expect(existsSync(path)).toBe(false)
  expect(await tool().ops(['reassigned', 'export', path])).toMatchObject({ code: 0 })
})
