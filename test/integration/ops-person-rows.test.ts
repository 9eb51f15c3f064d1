import { expect, it } from '@jest/globals'
import { created } from '#test/support/lead-requests.ts'
import { opsWorld } from '#test/support/ops-world.ts'
import { aSource, csv, handed, ingested, sent, watchCommands } from '#test/support/uploads.ts'

const { tool } = opsWorld({ withBucket: true, prepare: () => aSource() })

it('erase does not read the text of the rows that it finds in a file', async () => {
  await ingested(csv(Array.from({ length: 3 }, (_, row) => `R-${row},Ann,212-555-0061,,,`)))
  const commands = watchCommands()
  const sent = await commands.commandsOf(async () => expect((await tool().ops(['erase', '+12125550061', '--yes'])).code).toBe(0))
  commands.stop()
  const ranges = sent.flatMap(({ name, input }) => (name === 'GetObjectCommand' ? `${Object(input).Range}` : []))
  expect(ranges.length).toBeGreaterThan(0)
  expect(ranges.filter((range) => /-\d+$/.test(range))).toEqual([])
})

it.each([[], ['--owner', '2']])(
  'an export reads no file that is still being read, if the file wrote no lead of the person: %s',
  async (...options) => {
    const { message } = await sent(csv(['N-1,Ann,212-555-0063,,,']))
    await handed([message])
    const { phone_number } = await created()
    const commands = watchCommands()
    const used = await commands.commandsOf(async () => expect((await tool().ops(['export', phone_number, ...options])).code).toBe(0))
    commands.stop()
    expect(used.filter(({ name }) => name === 'GetObjectCommand')).toEqual([])
  },
)

it('an export shows the text of the first 1,000 rows of a file, and the lines of all', async () => {
  // The service refuses the email, so that no row becomes a lead.
  const { rejected } = await ingested(csv(Array.from({ length: 1003 }, (_, row) => `T-${row},Ann,212-555-0062,ann@,,`)))
  expect(rejected).toBe(1003)
  const { uploads } = JSON.parse((await tool().ops(['export', '+12125550062', '--everywhere'])).out)
  const [{ rows }] = uploads
  expect(rows).toHaveLength(1003)
  expect(rows[999]).toEqual({ line: 1001, text: 'T-999,Ann,212-555-0062,ann@,,' })
  expect(rows.slice(1000)).toEqual([1002, 1003, 1004].map((line) => ({ line, text: null })))
})
