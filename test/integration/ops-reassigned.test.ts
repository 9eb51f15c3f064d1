import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { reassignedKey } from '#shared/platform/keys.ts'
import { putItem } from '#shared/platform/table/table.ts'
import { phoneHash } from '#shared/stops/phone-hash.ts'
import { forgetConfiguration } from '#test/support/cache-clock.ts'
import { cleanUpEach } from '#test/support/clean-up.ts'
import { setClock } from '#test/support/clock.ts'
import { created, newPhone, patched, times } from '#test/support/lead-requests.ts'
import { opsWorld } from '#test/support/ops-world.ts'
import { storedAnswers } from '#test/support/reassigned.ts'
import { TODAY } from '#test/support/registries.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'
import { unitsOf } from '#test/support/units.ts'
import { OTHER_KEY, OWNER } from '#test/support/world.ts'

const { tool } = opsWorld({ withBucket: true })
const { directory } = cleanUpEach('reassigned')

const checking = async (): Promise<void> => {
  const reassigned_numbers = { where: 'law' as const, date_field: 'agreed', creation_counts: false, max_age_days: 31 }
  await saveLeadType(sampleLeadType({ owner: OWNER, consent_field: null, reassigned_numbers }))
  forgetConfiguration()
}

beforeEach(async () => {
  setClock(NOON)
  await checking()
})

const file = (content: string | Uint8Array, name = 'answers.csv'): string => {
  const path = join(directory(), name)
  writeFileSync(path, content)
  return path
}

const importing = (content: string | Uint8Array, asOf = TODAY, more: readonly string[] = []) =>
  tool().ops(['reassigned', 'import', file(content), '--as-of', asOf, ...more])

const digits = (phone: string): string => phone.slice(2)

/** A lead in Maine that needs an answer. */
const inMaine = async (body: Record<string, unknown> = {}) =>
  created({ us_state: 'ME', metadata: { timezone: 'America/New_York', agreed: '2026-06-10' }, ...body })

/** The questions that an export writes. */
const exported = async (...args: readonly string[]): Promise<readonly string[]> => {
  const path = join(directory(), `questions-${Math.random()}.csv`)
  expect(await tool().ops(['reassigned', 'export', path, ...args])).toMatchObject({ code: 0 })
  return readFileSync(path, 'utf8').split('\n').filter(Boolean).toSorted()
}

describe('the import of answers', () => {
  it('reassigned import stores the answers of all files, in each form of a line', async () => {
    const [one, two, three] = [newPhone(), newPhone(), newPhone()]
    const more = file(gzipSync(`"${digits(three)}","20260612","No Data"\r\n`), 'more.csv.gz')
    const first = file(`TN,DATE,RESULT\n${digits(one)},2026-06-10,no\n\n1-212-${two.slice(5, 8)}-${two.slice(8)}, 06/11/2026 ,YES\n`)
    const done = await tool().ops(['reassigned', 'import', first, more, '--as-of', '2026-11-19'])
    expect(done).toMatchObject({ code: 0, out: 'Stored 3 answers: 1 yes, 1 no, 1 no data.\n' })
    expect(await storedAnswers(one)).toEqual([{ date: '2026-06-10', answer: 'no', asked_on: '2026-11-19' }])
    expect(await storedAnswers(two)).toEqual([{ date: '2026-06-11', answer: 'yes', asked_on: '2026-11-19' }])
    expect(await storedAnswers(three)).toEqual([{ date: '2026-06-12', answer: 'no_data', asked_on: '2026-11-19' }])
  })

  it('reassigned import keeps a later or stricter answer about the same day, and says what it left out', async () => {
    const phone = newPhone()
    await importing(`${digits(phone)},2026-06-10,yes\n`)
    const older = await importing(`${digits(phone)},2026-06-10,no\n`, '2026-11-18')
    expect(older.out).toContain(
      'Left out 1 answer: a later or stricter answer about the same day is stored, or 60 answers about the number that count more.',
    )
    const json = await importing(`${digits(phone)},2026-06-10,no\n`, TODAY, ['--json'])
    expect(JSON.parse(json.out)).toEqual({ yes: 0, no: 0, no_data: 0, left_out: 1 })
    expect(await storedAnswers(phone)).toMatchObject([{ answer: 'yes', asked_on: TODAY }])
  })

  it('the strictest of several answers to one question counts', async () => {
    const phone = newPhone()
    await importing(['yes', 'no', 'no data'].map((answer) => `${digits(phone)},2026-06-10,${answer}\n`).join(''))
    expect(await storedAnswers(phone)).toEqual([{ date: '2026-06-10', answer: 'yes', asked_on: TODAY }])
  })

  it.each([
    [
      '2125550100,2026-06-10\n',
      'line 1: "2125550100,2026-06-10". Each line must be a phone number, the day that was asked about, and the answer',
    ],
    ['2125550100,2026-06-10,no,x\n', 'Each line must be'],
    ['2125550100,2026-06-10,no\n212555010,2026-06-10,no\n', 'line 2: "212555010,2026-06-10,no". The first field must be a phone number'],
    ['2125550100,2026-02-30,no\n', 'The second field must be a day'],
    ['2125550100,2026-06-10,maybe\n', 'The third field must be the answer: yes, no or no data'],
    ['2125550100,2026-11-21,no\n', 'The day that was asked about is in the future.'],
    ['TN,DATE,RESULT\n', 'The files hold no answer. Nothing was imported.'],
    [Buffer.from('PK\u0003\u0004'), 'is a ZIP archive'],
  ])('reassigned import refuses a wrong file, and stores nothing: %j', async (content, message) => {
    const { code, err } = await importing(content)
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(message) })
    expect(await storedAnswers('+12125550100')).toEqual([])
  })

  it('reassigned import refuses a day in the future as a mistake', async () => {
    expect(await importing('2125550100,2026-06-10,no\n', '2026-11-21')).toMatchObject({
      code: 2,
      err: expect.stringContaining('is in the future'),
    })
  })

  it('the same command does the rest after an interruption', async () => {
    const phones = await times(40, async () => newPhone())
    const lines = phones.map((phone) => `${digits(phone)},2026-06-10,no\n`).join('')
    let puts = 0
    const broken = await beforeEachSend(
      (command) => {
        if (/"pk":"REASSIGNED#.*"answers"/.test(JSON.stringify(command)) && ++puts === 20) throw new Error('The connection broke.')
      },
      () => importing(lines, TODAY, ['--json']),
    )
    expect(broken).toMatchObject({ code: 1, out: expect.stringContaining('The connection broke.') })
    expect(JSON.parse(broken.out).no).toBeLessThan(40)
    expect(await importing(lines)).toMatchObject({ code: 0, out: expect.stringContaining('Stored 40 answers') })
    for (const phone of phones) expect(await storedAnswers(phone)).toHaveLength(1)
  })

  it('an answer costs one read unit and one write unit', async () => {
    const lines = Array.from({ length: 100 }, () => `${digits(newPhone())},2026-06-10,no\n`).join('')
    const { read, write } = await unitsOf(() => importing(lines))
    expect({ read: Math.floor(read / 100), write: Math.floor(write / 100) }).toEqual({ read: 1, write: 1 })
    // Two marks for the sweep.
    expect(write).toBeLessThan(115)
  })
})

describe('the export of questions', () => {
  it('reassigned export writes each question once, and only for leads that need an answer', async () => {
    const lead = await inMaine()
    const twin = await inMaine({ phone_number: lead.phone_number })
    const answered = await inMaine()
    const old = await inMaine()
    const stopped = await inMaine()
    await patched(stopped.id, { call_dnc: true })
    await inMaine({ us_state: 'NY' })
    await inMaine({ metadata: { timezone: 'America/New_York' } })
    await importing(`${digits(answered.phone_number)},2026-06-10,no\n${digits(stopped.phone_number)},2026-06-10,no\n`)
    await importing(`${digits(old.phone_number)},2026-06-10,no\n`, '2026-11-01')
    const own = [lead, answered, old, stopped, twin].map(({ phone_number }) => digits(phone_number))
    const found = (await exported()).filter((line) => own.some((number) => line.startsWith(number)))
    expect(found).toEqual([`${digits(lead.phone_number)},2026-06-10`, `${digits(old.phone_number)},2026-06-10`].toSorted())
  })

  it('a day of long ago stops neither an export nor an import', async () => {
    const { phone_number } = await inMaine({ metadata: { timezone: 'America/New_York', agreed: '0099-12-31' } })
    const question = `${digits(phone_number)},0099-12-31`
    expect(await exported()).toContain(question)
    expect(await importing(`${question},no data\n`)).toMatchObject({ code: 0 })
    expect(await storedAnswers(phone_number)).toEqual([{ date: '0099-12-31', answer: 'no_data', asked_on: TODAY }])
  })

  it('reassigned export splits long files, and overwrites none', async () => {
    for (let count = 0; count < 5; count++) await inMaine()
    const path = join(directory(), 'ask.csv')
    const { code, out } = await tool().ops(['reassigned', 'export', path, '--most', '2', '--json'])
    const { questions, files } = JSON.parse(out)
    expect({ code, files: files.length, first: files.slice(0, 2) }).toEqual({
      code: 0,
      files: Math.ceil(questions / 2),
      first: [path, join(directory(), 'ask-2.csv')],
    })
    const lines = files.flatMap((one: string) => readFileSync(one, 'utf8').split('\n').filter(Boolean))
    expect(new Set(lines).size).toBe(questions)
    const again = await tool().ops(['reassigned', 'export', path])
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('exists already') })
  })

  it('reassigned export takes the leads of one user only, with --owner', async () => {
    const { phone_number } = await inMaine()
    await created({ us_state: 'ME' }, OTHER_KEY)
    expect(await exported('--owner', `${OWNER}`)).toContain(`${digits(phone_number)},2026-06-10`)
    expect(await exported('--owner', '2')).toEqual([])
  })

  it('an export walks all pages of a lead type, also when leads have changed at the same time', async () => {
    const leads = await times(205, () => inMaine())
    const found = new Set(await exported())
    expect(leads.filter(({ phone_number }) => !found.has(`${digits(phone_number)},2026-06-10`))).toEqual([])
  })
})

describe('the answers about a person', () => {
  const answered = async () => {
    const { id, phone_number } = await inMaine()
    await importing(`${digits(phone_number)},2026-06-10,yes\n`)
    return { id, phone: phone_number }
  }

  it('export prints the answers, and erase removes them', async () => {
    const { phone } = await answered()
    const document = JSON.parse((await tool().ops(['export', phone, '--json'])).out)
    expect(document.reassigned_number_answers).toEqual([{ date: '2026-06-10', answer: 'yes', asked_on: TODAY }])
    const { out } = await tool().ops(['erase', phone, '--yes'])
    expect(out).toContain('1 reassignment check')
    expect(await storedAnswers(phone)).toEqual([])
  })

  it('an erasure of the leads of one user leaves the answers, which other users may need', async () => {
    const { phone } = await answered()
    const { out } = await tool().ops(['erase', phone, '--owner', `${OWNER}`, '--yes'])
    expect(out).not.toContain('reassignment')
    expect(await storedAnswers(phone)).toHaveLength(1)
  })

  it('a search of the whole table finds the answers too', async () => {
    const { phone } = await answered()
    await tool().ops(['erase', phone, '--everywhere', '--yes'])
    expect(await storedAnswers(phone)).toEqual([])
  })

  it('check finds malformed answers', async () => {
    const { phone } = await answered()
    expect(JSON.stringify(await tool().ops(['check']))).not.toContain('REASSIGNED#')
    const hash = await phoneHash(phone)
    await putItem({ ...reassignedKey(hash), answers: 'yes' })
    expect((await tool().ops(['check'])).out).toContain(`The reassigned-answers REASSIGNED#${hash}/ANSWERS cannot be read (answers).`)
    await putItem({ ...reassignedKey(hash), answers: [] })
  })
})

describe('the setting of a lead type', () => {
  const company = (setting: string) => `
users:
  - key: checked
    name: Checked
    lead_types: [{ key: maine, name: Maine, agent: simulator, reassigned_numbers: ${setting} }]
`

  it('apply stores how the leads of a lead type are checked, and get prints it', async () => {
    expect(await tool().apply(company('{ date_field: agreed, max_age_days: 7 }'))).toMatchObject({ code: 0 })
    const { out } = await tool().ops(['get', '--yaml'])
    expect(out).toMatch(/reassigned_numbers:\s+where: law\s+date_field: agreed\s+creation_counts: false\s+max_age_days: 7/)
    expect(await tool().apply(company('null'))).toMatchObject({ code: 0, out: expect.stringContaining('1 changed') })
  })

  it('apply refuses a place and an age that do not exist', async () => {
    const { code, err } = await tool().apply(company('{ where: nowhere, max_age_days: 32 }'))
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/reassigned_numbers\.where.*reassigned_numbers\.max_age_days/s) })
  })
})
