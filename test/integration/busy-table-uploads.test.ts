import { describe, expect, it } from '@jest/globals'
import { noteBusyAnswer } from '#shared/platform/table/busy.ts'
import { client } from '#shared/platform/table/client.ts'
import { TableBusyError } from '#shared/platform/transient-errors.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { ROWS_AT_ONCE, takeRowTurn } from '#shared/uploads/ingest/row-pace.ts'
import { newPhone } from '#test/support/lead-requests.ts'
import { as, withTableLimits } from '#test/support/table-limits.ts'
import { withAnswers } from '#test/support/table-sends.ts'
import { uploadWorld } from '#test/support/upload-world.ts'
import { countsOf, csv, handed, sent, uploadNow, work } from '#test/support/uploads.ts'

const { watch } = uploadWorld()

const newRows = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}-${index},P,${newPhone()},,NY,`)

const ALL_CREATED = { reengaged: 0, updated: 0, unchanged: 0, rejected: 0 }

/** The most commands of one kind that the table carried out at the same time while `run` ran. Each row waits for its own transaction. */
const mostAtOnce = async (run: () => Promise<unknown>, kind = 'TransactWriteItemsCommand'): Promise<number> => {
  let [open, most] = [0, 0]
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName !== kind) return next(args)
        most = Math.max(most, ++open)
        return next(args).finally(() => open--)
      },
    { step: 'initialize', name: 'testMost' },
  )
  await run()
  client.middlewareStack.remove('testMost')
  return most
}

describe('a file that a table is too busy for', () => {
  it('a file whose rows the table refuses writes each row once, later', async () => {
    const { upload_id, message } = await sent(csv(newRows('slow', 40)))
    const refused = await withTableLimits({ isCold: false, most: { write: 150 } }, () =>
      as('file', async () => void (await work([message]))),
    )
    expect(refused['file']).toBeGreaterThan(0)
    expect(countsOf(await uploadNow(upload_id))).toEqual({ ...ALL_CREATED, rows: 40, created: 40 })
  })

  it('a run begins hardly any row in the second after the table was too busy', async () => {
    noteBusyAnswer()
    const turns = await Promise.all(Array.from({ length: 20 }, () => takeRowTurn(Date.now() + 900)))
    expect(turns.filter((isTaken) => isTaken).length).toBeLessThanOrEqual(1)
  })

  it('a file reads what its rows need for a few rows at a time', async () => {
    const { message } = await sent(csv(newRows('read', 250)))
    expect(await mostAtOnce(() => work([message]), 'QueryCommand')).toBeLessThanOrEqual(ROWS_AT_ONCE)
  })

  it('a file waits while the table is too busy for its rows, and its message uses up no try', async () => {
    const { upload_id, message } = await sent(csv(newRows('wait', 5)))
    const busy = (name: string) => (name === 'TransactWriteCommand' ? new TableBusyError('Busy.') : undefined)
    await watch().failing(busy, async () => expect(await work([message], () => 4_000)).toBe(true))
    expect(await uploadNow(upload_id)).toMatchObject({ status: 'processing', rows: 0, passing: 1 })
    expect(await handed([{ upload_id }])).toBe(true)
    expect(countsOf(await uploadNow(upload_id))).toEqual({ ...ALL_CREATED, rows: 5, created: 5 })
  })

  it('a file makes progress while a whole batch would take longer than its lease', async () => {
    const { upload_id, message } = await sent(csv(newRows('long', 300)))
    const { now: machineNow } = Date
    let ahead = 0
    Date.now = () => machineNow() + ahead
    const slowly = (_: unknown, send: () => Promise<unknown>) => {
      ahead += SECOND / 2
      return send()
    }
    try {
      await withAnswers(slowly, async () => {
        await work([message])
        for (let runs = 1; runs <= 5; runs++) await handed([{ upload_id }])
      })
    } finally {
      Date.now = machineNow
    }
    expect(countsOf(await uploadNow(upload_id))).toEqual({ ...ALL_CREATED, rows: 300, created: 300 })
  })
})
