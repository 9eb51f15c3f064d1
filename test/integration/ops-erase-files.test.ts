import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { handler as update } from '#functions/leads/update.ts'
import { getPerson } from '#shared/leads/person-store.ts'
import { objectVersions } from '#shared/platform/bucket/bucket-versions.ts'
import { uploadKey } from '#shared/platform/keys.ts'
import { deleteItem } from '#shared/platform/table/table.ts'
import { LANE_BYTES } from '#shared/uploads/rules/lanes.ts'
import type { Upload } from '#shared/uploads/upload.ts'
import { getWhole } from '#shared/uploads/upload-store.ts'
import { setClock } from '#test/support/clock.ts'
import { opsWorld } from '#test/support/ops-world.ts'
import { NOON } from '#test/support/samples.ts'
import { aSource, csv, handed, ingested, reportLines, sent, uploadNow, watchCommands, work } from '#test/support/uploads.ts'
import { OWNER, request } from '#test/support/world.ts'

const { tool } = opsWorld({ withBucket: true, prepare: () => aSource() })
beforeEach(() => setClock(NOON))

const erased = async (phone: string, ...options: string[]) => {
  const { code, out } = await tool().ops(['erase', phone, '--yes', '--json', ...options])
  return { code, ...JSON.parse(out) }
}

const filesThere = async (): Promise<string[]> => {
  const keys: string[] = []
  for await (const page of objectVersions('uploads/')) keys.push(...page.map(({ key }) => key))
  return keys
}
const isThere = async ({ object_key }: Upload): Promise<boolean> => (await filesThere()).includes(object_key)

const leadOf = async (phone: string): Promise<number> => (await getPerson(OWNER, phone)).leads[0]!.id

const movedTo = async (lead: number, phone_number: string): Promise<void> => {
  const { status } = await request(update, {
    ...{ method: 'PATCH', path: `/api/leads/${lead}/`, parameters: { id: `${lead}` } },
    body: { phone_number },
  })
  expect(status).toBe(200)
}

describe('the uploaded file of an erased lead', () => {
  it.each([
    ['212 \u2013 555 \u2013 0041', '+12125550041'],
    ['\uff12\uff11\uff12\uff15\uff15\uff15\uff10\uff10\uff14\uff12', '+12125550042'],
    ['212 55 50 04 3', '+12125550043'],
    ['(212)\u00a0555\u22120044 ext. 7', '+12125550044'],
  ])("erase deletes an uploaded file that has the person's number, however it is written: %s", async (text, phone) => {
    const upload = await ingested(csv([`U-1,Ann,${text},,,`]))
    expect(upload).toMatchObject({ created: 1, rejected: 0 })
    expect(await erased(phone)).toMatchObject({ code: 0, files: 1 })
    expect(await isThere(upload)).toBe(false)
    expect((await uploadNow(upload.upload_id)).remark).toMatch(/deleted/)
  })

  it('erase deletes the file of a lead that has another number by now, and leaves other files', async () => {
    const upload = await ingested(csv(['M-1,Ann,212-555-0051,,,']))
    const others = await ingested(csv(['M-2,Bob,212-555-0053,,,', 'M-3,Eve,212-555-00521,,,']))
    await movedTo(await leadOf('+12125550051'), '+12125550052')
    expect(await erased('+12125550052')).toMatchObject({ code: 0, files: 1, lead_ids: [expect.any(Number)] })
    expect([await isThere(upload), await isThere(others)]).toEqual([false, true])
  })

  it('a repeated erase deletes the uploaded file when the first one died while it deleted the file', async () => {
    const upload = await ingested(csv(['C-1,Ann,212-555-0056,,,']))
    await movedTo(await leadOf('+12125550056'), '+12125550057')
    const commands = watchCommands()
    expect(
      await commands.killed(
        ({ name }) => name === 'DeleteObjectCommand',
        () => erased('+12125550057'),
      ),
    ).toBe(true)
    commands.stop()
    expect(await isThere(upload)).toBe(true)
    expect(await erased('+12125550057')).toMatchObject({ code: 0, files: 1, removed: { lead: 1 } })
    expect(await isThere(upload)).toBe(false)
  })

  it('erase by a former number deletes the file that holds it', async () => {
    const upload = await ingested(csv(['F-1,Ann,212-555-0046,,,']))
    await movedTo(await leadOf('+12125550046'), '+12125550047')
    expect(await erased('+12125550046')).toMatchObject({ code: 0, files: 1, lead_ids: [] })
    expect(await isThere(upload)).toBe(false)
  })

  it('export and erase read only files that the leads came from, however many others there are', async () => {
    const costs: number[][] = []
    const commands = watchCommands()
    for (const [phone, others] of [
      ['+12125550048', 1],
      ['+12125550049', 5],
    ] as const) {
      await ingested(csv([`O-${phone},Ann,${phone},,,`]))
      for (let other = 0; other < others; other++)
        await ingested(csv([`O-${phone}-${other},Bob,212-555-02${others}${other},,,`, 'bad,Bob,12,,,']))
      const cost: number[] = []
      for (const args of [['export', phone] as const, ['erase', phone, '--yes'] as const]) {
        const sent = await commands.commandsOf(() => tool().ops(args))
        cost.push(sent.filter(({ name }) => /Object/.test(name)).length)
      }
      costs.push(cost)
    }
    commands.stop()
    expect(costs[0]).toEqual([expect.any(Number), expect.any(Number)])
    expect(costs[1]).toEqual(costs[0])
  })

  it('erase with --everywhere deletes a file whose rows wrote no lead; without, it says that it did not look there', async () => {
    const upload = await ingested(csv(['E-1,Ann,212-555-0054,ann@,,']))
    expect(upload).toMatchObject({ created: 0, rejected: 1 })
    expect(await erased('+12125550054')).toMatchObject({ files: 0, not_searched: expect.stringContaining('uploaded files') })
    expect(await erased('+12125550054', '--everywhere')).toMatchObject({ files: 1, not_searched: null })
    expect(await isThere(upload)).toBe(false)
  })
})

it.each([
  ['the first time', false],
  ['after an erasure that died at the upload', true],
])('erase by keys removes the number from the file name that each lane of an upload has: %s', async (_, isRepeat) => {
  const body = csv(['L-1,Ann,212-555-0058,,,', 'L-2,Bob,212-555-0059,,,'])
  const { upload_id, message } = await sent(body, { filename: '+12125550058.csv' }, 2 * LANE_BYTES)
  await work([message])
  await handed([1, 2].map((lane) => ({ upload_id, lane })))
  await handed([{ upload_id }])
  expect(await uploadNow(upload_id)).toMatchObject({ status: 'done', rows: 2, rejected: 0 })
  // The file is read once, though each lane names it.
  const { uploads } = JSON.parse((await tool().ops(['export', '+12125550058'])).out)
  expect(uploads).toEqual([expect.objectContaining({ upload_id, rows: [expect.anything()] })])
  if (isRepeat) {
    const commands = watchCommands()
    expect(
      await commands.killed(
        ({ input }) => JSON.stringify(input).includes(`UPLOAD#${upload_id}`),
        () => erased('+12125550058'),
      ),
    ).toBe(true)
    commands.stop()
    // The lead leads to the upload, so it goes last.
    expect((await getPerson(OWNER, '+12125550058')).leads).toHaveLength(1)
  }
  expect(await erased('+12125550058')).toMatchObject({ code: 0, files: 1 })
  const { upload, lanes } = (await getWhole(upload_id, NOON))!
  expect(lanes).toHaveLength(2)
  for (const each of [upload, ...lanes]) expect(JSON.stringify(each)).not.toContain('2125550058')
})

it('erase deletes a report of rejected rows whose upload no longer exists', async () => {
  const upload = await ingested(csv(['R-1,Ann,212-555-0061,ann@,,', 'R-2,Bob,12,,,']))
  expect(upload.rejected).toBe(2)
  expect((await reportLines(upload)).join()).toContain('ann@')
  await deleteItem(uploadKey(upload.upload_id))
  await erased('+12125550061', '--everywhere')
  const reports: string[] = []
  for await (const page of objectVersions(`rejected/${OWNER}/${upload.upload_id}/`)) reports.push(...page.map(({ key }) => key))
  expect(reports).toEqual([])
})

it("erase removes a person's rows from the report of a dry run, and deletes the file", async () => {
  const rows = ['Y-1,Ann,212-555-0064,ann@,,', 'Y-2,Bob,212-555-0065,bob@,,', 'Y-3,Ann,212-555-0064,,,']
  const upload = await ingested(csv(rows), { dry_run: true })
  expect(await erased('+12125550064', '--everywhere')).toMatchObject({ code: 0, files: 1 })
  expect(await isThere(upload)).toBe(false)
  expect(await reportLines(upload)).toEqual([
    'line,result,lead,column,value,message',
    '3,rejected,,Email,bob@,Enter a valid email address. An example is ann@example.com.',
  ])
})

/** Does something just before the first lead is removed. */
const meanwhile = async <T>(act: () => Promise<unknown>, run: () => Promise<T>): Promise<T> => {
  const { prototype } = DynamoDBDocumentClient
  const original = prototype.send as (...args: unknown[]) => Promise<unknown>
  let isDone = false
  Object.defineProperty(prototype, 'send', {
    configurable: true,
    value: async function (this: unknown, ...args: unknown[]) {
      const [command] = args as [{ input: { TransactItems?: { Delete?: { Key?: { sk?: string } } }[] } }]
      if (!isDone && command.input.TransactItems?.some((write) => write.Delete?.Key?.sk === 'LEAD')) {
        isDone = true
        await act()
      }
      return original.apply(this, args)
    },
  })
  try {
    return await run()
  } finally {
    Reflect.deleteProperty(prototype, 'send')
    expect(isDone).toBe(true)
  }
}

describe('an erasure with concurrent changes', () => {
  it('erase removes leads that arrive meanwhile, and spares a lead that got another number', async () => {
    await ingested(csv(['W-1,Ann,212-555-0071,,,', 'W-2,Ann,212-555-0071,,,']))
    const [moved, stays] = (await getPerson(OWNER, '+12125550071')).leads.map(({ id }) => id)
    const come: number[] = []
    const change = async () => {
      await movedTo(moved!, '+12125550079')
      await ingested(csv(['W-3,Ann,212-555-0071,,,']))
      come.push(...(await getPerson(OWNER, '+12125550071')).leads.map(({ id }) => id).filter((id) => id !== stays))
    }
    const done = await meanwhile(change, () => erased('+12125550071'))
    expect(come).toHaveLength(1)
    expect(done).toMatchObject({ code: 0, erased: true, files: 2, left: [], lead_ids: expect.arrayContaining([stays, ...come]) })
    expect(done.removed.lead).toBe(2)
  })

  it('erase must be repeated after a file that arrives meanwhile has been read', async () => {
    await ingested(csv(['P-1,Ann,212-555-0081,,,']))
    const messages: unknown[] = []
    const send = async () => messages.push((await sent(csv(['P-2,Ann,212-555-0081,,,']))).message)
    const refused = await meanwhile(send, () => tool().ops(['erase', '+12125550081', '--yes']))
    expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/is being read .* Then erase again: only a part is erased\.\n$/) })
    await work(messages)
    expect(await erased('+12125550081')).toMatchObject({ code: 0, files: 1, removed: { lead: 1 } })
  })
})

it('erase removes nothing after the answer no, and says so in its JSON output', async () => {
  await ingested(csv(['N-1,Ann,212-555-0091,,,']))
  const { code, out, err } = await tool().ops(['erase', '+12125550091', '--json'], { answer: () => 'n' })
  expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 1, erased: false, files: 1 })
  expect(err).toContain('Nothing was erased.')
})
