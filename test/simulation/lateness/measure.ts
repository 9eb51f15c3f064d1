import type { Journal } from './journal.ts'

export interface Spread {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly max: number
  readonly min: number
}

/** All zeros when there are no numbers. */
export const spreadOf = (numbers: readonly number[]): Spread => {
  const sorted = numbers.toSorted((one, other) => one - other)
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1), min: sorted[0] ?? 0 }
}

type Due = { readonly owner: number; readonly instant: number; readonly isFresh: boolean }

/** Nobody is late before `from`. A lead due after `end` need not be called. Instants. */
export interface Span {
  readonly from: number
  readonly end: number
}

/** How late the agent was asked for each matching lead, and how many leads were not called. */
export const lateness = (journal: Journal, isMeant: (due: Due) => boolean, { from, end }: Span) => {
  const first = new Map<number, number>()
  for (const { lead, instant } of journal.asked) if (!first.has(lead)) first.set(lead, instant)
  const meant = [...journal.due].filter(([, due]) => isMeant(due) && due.instant <= end)
  const late = meant.flatMap(([lead, { instant }]) => {
    const asked = first.get(lead)
    return asked === undefined ? [] : [{ late: asked - Math.max(instant, from), isEarly: asked < instant }]
  })
  return {
    ...spreadOf(late.map((one) => one.late)),
    early: late.filter(({ isEarly }) => isEarly).length,
    missed: meant.length - late.length,
  }
}

/** Calls beyond one per lead. `asked` has one entry per key, so a lead that is in it twice was called twice before the end. */
export const calledTwice = ({ asked }: Journal): number => asked.length - new Set(asked.map(({ lead }) => lead)).size

/** The most calls in progress at any instant. A call that ends at the begin of another one is over. */
export const mostAtOnce = (begins: readonly number[], ends: readonly number[]): number => {
  const changes = [...begins.map((at) => ({ at, by: 1 })), ...ends.map((at) => ({ at, by: -1 }))]
  let calls = 0
  let most = 0
  for (const { by } of changes.toSorted((one, other) => one.at - other.at || one.by - other.by)) {
    calls += by
    most = Math.max(most, calls)
  }
  return most
}

/** Milliseconds of a span that all calls took together. A call without an end goes on. */
export const timeInCalls = (begins: readonly number[], ends: readonly number[], { from, until }: Pick<Lines, 'from' | 'until'>): number => {
  const within = (instants: readonly number[]): number =>
    instants.reduce((sum, instant) => sum + Math.min(Math.max(instant, from), until) - from, 0)
  return within(ends) + (begins.length - ends.length) * (until - from) - within(begins)
}

export interface HandOvers {
  /** Milliseconds from a call's end to the next dial on its line. */
  readonly gaps: Spread
  /** Milliseconds from the leads' due instant to each line's first dial. */
  readonly first: Spread
  /** Milliseconds for which lines were idle although leads waited, and their share of the lines' time. */
  readonly idle: number
  readonly idleShare: number
}

export interface Lines {
  readonly lines: number
  /** When the leads became due. */
  readonly from: number
  /** Until when there were leads to call. */
  readonly until: number
  /** From when on gaps count. Default: `from`. */
  readonly calm?: number
}

/**
 * Use of an owner's lines while leads wait for them. Assumes that a dial takes the line that was free for longest. An unused line counts as
 * idle until the end.
 */
export const handOvers = (dials: readonly number[], ends: readonly number[], { lines, from, until, calm = from }: Lines): HandOvers => {
  const events = [...dials.map((instant) => ({ instant, isDial: true })), ...ends.map((instant) => ({ instant, isDial: false }))]
  const free: { readonly since: number; readonly isFirst: boolean }[] = Array.from({ length: lines }, () => ({
    since: from,
    isFirst: true,
  }))
  const gaps: number[] = []
  const first: number[] = []
  const note = ({ since, isFirst }: { readonly since: number; readonly isFirst: boolean }, instant: number): void => {
    const begin = isFirst ? since : Math.max(since, calm)
    if (begin < until && begin <= instant) (isFirst ? first : gaps).push(Math.min(instant, until) - begin)
  }
  for (const { instant, isDial } of events.toSorted(
    (one, other) => one.instant - other.instant || Number(one.isDial) - Number(other.isDial),
  )) {
    if (!isDial) free.push({ since: instant, isFirst: false })
    else {
      const line = free.shift()
      if (line) note(line, instant)
    }
  }
  for (const line of free) note(line, until)
  const idle = [...gaps, ...first].reduce((sum, gap) => sum + gap, 0)
  return { gaps: spreadOf(gaps), first: spreadOf(first), idle, idleShare: idle / (lines * Math.max(1, until - from)) }
}
