import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { dayOf } from '#shared/platform/values/day.ts'
import { DAY } from '#shared/platform/values/durations.ts'
import { ANSWERS, type ReassignedAnswer } from '#shared/reassigned/answer.ts'
import { type AnswerFound, answerFor, MOST_ANSWERS, stricter, withAnswer } from '#shared/reassigned/rules/answers.ts'
import { answersSince } from '#shared/reassigned/rules/days.ts'

const DAYS = 8
const day = (number: number): string => dayOf(Date.parse('2026-01-01') + number * DAY)
const Day = fc.integer({ min: 0, max: DAYS - 1 }).map(day)

const HISTORY: fc.Arbitrary<ReassignedAnswer[]> = fc.array(fc.record({ date: Day, answer: fc.constantFrom(...ANSWERS), asked_on: Day }), {
  maxLength: 12,
})

/** The answer about a day that counts: of those that were asked for last, a `yes`, else a `no_data`, else a `no`. */
const lastAbout = (history: readonly ReassignedAnswer[], date: string): ReassignedAnswer | undefined => {
  const about = history.filter((one) => one.date === date)
  const last = about.filter((one) => about.every(({ asked_on }) => asked_on <= one.asked_on))
  return (['yes', 'no_data', 'no'] as const).flatMap((answer) => last.find((one) => one.answer === answer) ?? [])[0]
}

/** Every day on which the number may have been disconnected last; `-1`: never. */
const WORLDS = Array.from({ length: DAYS + 1 }, (_, number) => number - 1)

/** The slow way: look at each day on which the number may have been disconnected. */
const kindOf = (answers: readonly ReassignedAnswer[], date: string, since: string): AnswerFound['kind'] => {
  const isAfter = (world: number, asked: string): boolean => world >= 0 && day(world) >= asked
  const fresh = answers.filter(({ asked_on }) => asked_on >= since)
  const afterYes = WORLDS.filter((world) => answers.every((one) => one.answer !== 'yes' || isAfter(world, one.date)))
  if (afterYes.every((world) => isAfter(world, date))) return 'reassigned'
  // A yes that was asked for later casts doubt on a no, and so does one of the same day of asking that contradicts it.
  const isSure = (no: ReassignedAnswer): boolean =>
    answers.every((one) => one.answer !== 'yes' || one.asked_on < no.asked_on || (one.asked_on === no.asked_on && one.date < no.date))
  const afterNo = WORLDS.filter((world) => fresh.every((one) => one.answer !== 'no' || !isSure(one) || !isAfter(world, one.date)))
  if (afterNo.every((world) => !isAfter(world, date))) return 'not_reassigned'
  if (fresh.some((one) => one.answer === 'no_data' && one.date >= date)) return 'no_data'
  return since > '' && ['not_reassigned', 'no_data'].includes(kindOf(answers, date, '')) ? 'too_old' : 'missing'
}

describe('the answers about a number', () => {
  it('the answer found is that of a slow search through all days on which the number may have been disconnected', () => {
    const kinds = new Set<string>()
    fc.assert(
      fc.property(HISTORY, Day, Day, (history, date, since) => {
        const stored = history.reduce<ReassignedAnswer[]>((answers, one) => withAnswer(answers, one) ?? answers, [])
        const known = Array.from({ length: DAYS }, (_, number) => lastAbout(history, day(number)) ?? []).flat()
        const { kind } = answerFor(stored, date, since)
        kinds.add(kind)
        expect(kind).toBe(kindOf(known, date, since))
      }),
      { numRuns: 5000 },
    )
    expect([...kinds].toSorted()).toEqual(['missing', 'no_data', 'not_reassigned', 'reassigned', 'too_old'])
  })

  it('a phone keeps its latest answers, and each yes before them', () => {
    const yes = { date: day(0), answer: 'yes', asked_on: day(0) } as const
    let answers: ReassignedAnswer[] = [yes]
    for (let number = 1; number <= MOST_ANSWERS; number++) {
      answers = withAnswer(answers, { date: day(number), answer: 'no', asked_on: day(number) }) ?? []
    }
    expect(answers).toHaveLength(MOST_ANSWERS)
    expect(answers).toContainEqual(yes)
    expect(answers.map(({ date }) => date)).not.toContain(day(1))
  })

  it('of the answers of one day of asking, the no about the earliest day is kept, and an answer that is dropped is not stored', () => {
    let answers: ReassignedAnswer[] = []
    for (let number = 1; number <= MOST_ANSWERS; number++) {
      answers = withAnswer(answers, { date: day(number), answer: 'no', asked_on: day(300) }) ?? []
    }
    expect(withAnswer(answers, { date: day(MOST_ANSWERS + 1), answer: 'no', asked_on: day(300) })).toBeUndefined()
    const withEarlier = withAnswer(answers, { date: day(0), answer: 'no', asked_on: day(300) }) ?? []
    expect(withEarlier.map(({ date }) => date)).toEqual(expect.arrayContaining([day(0), day(1)]))
    expect(withEarlier.map(({ date }) => date)).not.toContain(day(MOST_ANSWERS))
  })

  it('of two answers to one question, the stricter counts', () => {
    expect(stricter('no', 'yes')).toBe('yes')
    expect(stricter('no_data', 'no')).toBe('no_data')
    expect(stricter('yes', 'no_data')).toBe('yes')
  })

  it('no answer counts from before a day on which the database may have changed since, in any year', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20_000 * 24 }), fc.integer({ min: 1, max: 31 }), (hours, longest) => {
        const now = hours * (DAY / 24)
        const since = answersSince(now, longest)
        for (let asked = Math.floor(now / DAY); asked > now / DAY - 40; asked--) {
          const changes = Array.from({ length: 40 }, (_, days) => asked + 1 + days).filter((one) => one * DAY <= now)
          const isChanged = changes.some((one) => [15, 16, 17].includes(new Date(one * DAY).getUTCDate()))
          const isOld = asked < Math.floor(now / DAY) - longest
          expect(dayOf(asked * DAY) >= since).toBe(!isChanged && !isOld)
        }
      }),
      { numRuns: 300 },
    )
  })
})
