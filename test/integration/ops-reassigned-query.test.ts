import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { outputTo } from '#lib/ops/output.ts'
import { queryNumbers } from '#lib/ops/reassigned/query.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { giveName } from '#shared/accounts/names.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { forgetConfiguration } from '#test/support/cache-clock.ts'
import { settingsWorld } from '#test/support/changed-settings.ts'
import { created, times } from '#test/support/lead-requests.ts'
import { startOps } from '#test/support/ops.ts'
import { saying, startQueryService } from '#test/support/query-service.ts'
import { storedAnswers } from '#test/support/reassigned.ts'
import { TODAY } from '#test/support/registries.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'
import { startAgent } from '#test/support/simulated-agent.ts'
import { OWNER } from '#test/support/world.ts'

const { placeQueued, change } = settingsWorld()

beforeAll(async () => void (await giveName({ kind: 'USER', keys: ['acme'], id: OWNER })))

beforeEach(async () => {
  const reassigned_numbers = { where: 'law' as const, date_field: 'agreed', creation_counts: false, max_age_days: 31 }
  await saveLeadType(sampleLeadType({ owner: OWNER, consent_field: null, reassigned_numbers }))
  forgetConfiguration()
  process.env['REASSIGNED_NUMBERS_KEY'] = 'key-1'
  // Answers what the tests before have left.
  const { url } = await startQueryService(saying('no'))
  await query(url)
})

const inMaine = (body: Record<string, unknown> = {}) =>
  created({ us_state: 'ME', metadata: { timezone: 'America/New_York', agreed: '2026-06-10' }, ...body })

/** Runs the query. @returns also the pauses between tries, in milliseconds */
const query = async (url: string, ...more: readonly string[]) => {
  const tool = await startOps()
  const pauses: number[] = []
  const pause = async (milliseconds: number): Promise<void> => void pauses.push(milliseconds)
  try {
    const done = await tool.ops(['reassigned', 'query', '--url', url, ...more], {
      waiting: { now: Date.now, pause, onInterrupt: () => () => {} },
    })
    return { ...done, pauses }
  } finally {
    await tool.stop()
  }
}

describe('a query of the reassigned numbers database', () => {
  it('asks about the leads that need an answer, with the key, stores the answers, and the leads are called', async () => {
    const lead = await inMaine()
    await placeQueued()
    expect(await getLead(lead.id)).toMatchObject({ held_by: `reassigned ${OWNER}` })
    const { url, asked } = await startQueryService(saying('no'))
    await change(NOON + 5 * MINUTE, async () => {
      expect(await query(url)).toMatchObject({ code: 0, out: 'Stored 1 answer: 0 yes, 1 no, 0 no data.\n' })
    })
    expect(asked).toEqual([{ key: 'Bearer key-1', questions: [{ phone_number: lead.phone_number, date: '2026-06-10' }] }])
    expect(await storedAnswers(lead.phone_number)).toEqual([{ date: '2026-06-10', answer: 'no', asked_on: TODAY }])
    expect(await getLead(lead.id)).toMatchObject({ attempts: 1 })
    expect(await query(url)).toMatchObject({ code: 0, out: 'No lead needs an answer. The query service was not asked.\n' })
    expect(asked).toHaveLength(1)
  })

  it('asks in groups, and a dry run asks nothing', async () => {
    await times(5, () => inMaine())
    const groups: number[] = []
    const service = {
      ask: async (questions: readonly unknown[]) => {
        groups.push(questions.length)
        return questions.map(() => 'yes' as const)
      },
    }
    const said: string[] = []
    const output = outputTo({ environment: {}, print: (text) => said.push(text), note: () => {} }, false)
    const asked = { service, owner: undefined, most: 2, scratch: undefined }
    await queryNumbers({ ...asked, isDryRun: true }, output)
    expect(groups).toEqual([])
    await queryNumbers({ ...asked, isDryRun: false }, output)
    expect(groups).toEqual([2, 2, 1])
    expect(said).toEqual(['5 questions would be asked.\n', 'Stored 5 answers: 5 yes, 0 no, 0 no data.\n'])
  })

  it('tries again after failures that pass, with growing pauses', async () => {
    const { phone_number } = await inMaine()
    const { url, asked } = await startQueryService((given, number) =>
      number <= 3 ? { status: number === 1 ? 429 : 503, body: {} } : saying('no_data')(given),
    )
    expect(await query(url)).toMatchObject({ code: 0, pauses: [1000, 2000, 4000] })
    expect(asked).toHaveLength(4)
    expect(await storedAnswers(phone_number)).toMatchObject([{ answer: 'no_data' }])
  })

  it.each([
    [
      'is not allowed',
      () => ({ status: 403, body: { detail: 'No such key.' } }),
      1,
      'The query service failed: answered 403: {"detail":"No such key."}',
    ],
    ['fails again and again', () => ({ status: 500, body: {} }), 5, 'The query service failed: answered 500'],
    ['gets something else', () => ({ status: 200, body: { result: 'no' } }), 1, 'The query service sent something else than answers'],
    ['gets an unknown answer', () => saying('perhaps'), 1, 'sent something else than answers'],
    [
      'gets no answer about a number',
      () => ({ status: 200, body: { answers: [] } }),
      1,
      'left out the answer about a number and 2026-06-10',
    ],
  ])('stores nothing and says why when it %s', async (_, reply, requests, message) => {
    const { phone_number } = await inMaine()
    const { url, asked } = await startQueryService((given) => {
      const made = reply()
      return typeof made === 'function' ? made(given) : made
    })
    const { code, err, out } = await query(url, '--json')
    expect({ code, requests: asked.length }).toEqual({ code: 1, requests })
    expect(err).toContain(message)
    expect(JSON.parse(out)).toMatchObject({ error: expect.stringContaining(message), no: 0 })
    expect(await storedAnswers(phone_number)).toEqual([])
  })

  it('the strictest answer counts if the service answers a question more than once', async () => {
    const { phone_number } = await inMaine()
    const { url } = await startQueryService(({ questions }) => ({
      status: 200,
      body: { answers: ['no_data', 'yes', 'no'].flatMap((answer) => questions.map((question) => ({ ...question, answer }))) },
    }))
    expect(await query(url)).toMatchObject({ code: 0, out: 'Stored 1 answer: 1 yes, 0 no, 0 no data.\n' })
    expect(await storedAnswers(phone_number)).toMatchObject([{ answer: 'yes' }])
  })

  it('a service that does not listen, a wrong address and a missing key are named', async () => {
    await inMaine()
    expect(await query('http://127.0.0.1:9/')).toMatchObject({ code: 1, err: expect.stringContaining('ECONNREFUSED') })
    expect(await query('http://checks.example.com/')).toMatchObject({ code: 2, err: expect.stringContaining('The address must be https') })
    expect(await query('checks')).toMatchObject({ code: 2, err: expect.stringContaining('--url must be an address') })
    delete process.env['REASSIGNED_NUMBERS_KEY']
    expect(await query('https://checks.example.com/')).toMatchObject({
      code: 2,
      err: expect.stringContaining('REASSIGNED_NUMBERS_KEY is not set'),
    })
  })

  it('the simulated service answers by the last digits of the number and the day', async () => {
    const { url } = await startAgent('http://127.0.0.1:1')
    const ends = async (last: string, agreed = '2026-06-10') =>
      (await inMaine({ phone_number: `+1207555${last}`, metadata: { timezone: 'America/New_York', agreed } })).phone_number
    const [no, yes, unknown] = [await ends('0001'), await ends('0041'), await ends('0002', '2021-01-26')]
    expect(await query(`${url}/reassigned-numbers`)).toMatchObject({ code: 0, out: 'Stored 3 answers: 1 yes, 1 no, 1 no data.\n' })
    expect(await storedAnswers(no)).toMatchObject([{ answer: 'no' }])
    expect(await storedAnswers(yes)).toMatchObject([{ answer: 'yes' }])
    expect(await storedAnswers(unknown)).toMatchObject([{ answer: 'no_data' }])
  })
})
