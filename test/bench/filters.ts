import { evaluate as evaluateCel, parse as parseCel } from 'cel-js'
import jexl from 'jexl'
import { buildPayload } from '#shared/events/api/payload.ts'
import { predicate } from '#shared/webhooks/rules/filter/evaluator.ts'
import { compileFilter } from '#shared/webhooks/rules/filter/filter.ts'
import { parseFilter } from '#shared/webhooks/rules/filter/parse.ts'
import { aCall, aLead, anEvent, NOW } from '#test/support/webhook-fixtures.ts'

/** Costs of filter conditions next to cel-js 0.8.2 and jexl 2.3.0, with the same conditions and payload. */

const ROUNDS = 25
/** Milliseconds per round of one implementation. */
const ROUND = 8

interface Condition {
  readonly ours: string
  readonly cel: string
  readonly jexl: string
}

/** A condition that differs between the three only in `and` and `or`. */
const same = (ours: string): Condition => {
  const theirs = ours.replaceAll(' and ', ' && ').replaceAll(' or ', ' || ')
  return { ours, cel: theirs, jexl: theirs }
}

const CONDITIONS: Readonly<Record<string, Condition>> = {
  'one comparison': same("status == 'LOST'"),
  'one nested comparison': same("last_chat['is_contact'] == true"),
  'three, joined': same("metadata.us_state == 'NY' and last_chat.is_contact == true and lead_source != 'website'"),
  'has and a default': {
    ours: "has('metadata.us_state') and get('metadata.product', 'loan') == 'loan'",
    cel: "has(metadata.us_state) && (has(metadata.product) ? metadata.product : 'loan') == 'loan'",
    jexl: "metadata.us_state != null && (metadata.product || 'loan') == 'loan'",
  },
  'twenty states': same(Array.from({ length: 20 }, (_, state) => `metadata.us_state == 'S${state}'`).join(' or ')),
}

const lead = aLead({ lead_source: 'partner', metadata: { us_state: 'NY', first_name: 'Ann', loan_amount: 250_000 }, last_chat: '1001-1' })
const payload = JSON.parse(JSON.stringify(buildPayload(anEvent({ event_time: NOW }), { lead, call: aCall(), lastChat: aCall() })))

const runFor = (milliseconds: number, run: () => unknown): number => {
  const started = performance.now()
  let runs = 0
  let elapsed = 0
  while (elapsed < milliseconds) {
    for (let index = 0; index < 20; index++) run()
    runs += 20
    elapsed = performance.now() - started
  }
  return (elapsed / runs) * 1000
}

type Runs = Readonly<Record<'ours' | 'cel' | 'jexl', () => unknown>>

/** Microseconds in the fastest of several rounds: slower rounds measure other load on the machine. The three take turns. */
const compared = (least: number, runs: Runs): FilterCost => {
  const rounds = Array.from({ length: ROUNDS }, () => [runFor(ROUND, runs.ours), runFor(ROUND, runs.cel), runFor(ROUND, runs.jexl)])
  const [ours, cel, jexlCost] = [0, 1, 2].map((place) => Math.min(...rounds.map((costs) => costs[place]!))) as [number, number, number]
  return { ours: rounded(ours), 'cel-js': rounded(cel), jexl: rounded(jexlCost), ratio: rounded(Math.min(cel, jexlCost) / ours), least }
}

const parsedCel = (text: string) => {
  const parsed = parseCel(text)
  if (!parsed.isSuccess) throw new Error(`cel-js does not take ${text}: ${parsed.errors.join()}`)
  return parsed.cst
}

/** Bypasses the cache of compiled conditions. */
const compiled = (text: string) => predicate(parseFilter(text))

const rounded = (number: number): number => Number(number.toPrecision(3))

export interface FilterCost {
  /** Microseconds. */
  readonly ours: number
  readonly 'cel-js': number
  readonly jexl: number
  /** Time of the faster of the other two, as a multiple of ours. */
  readonly ratio: number
  /** Least allowed ratio. Every event evaluates a condition; compiling is rare. */
  readonly least: number
}

const evaluation = (condition: Condition): FilterCost => {
  const filter = compileFilter(condition.ours)
  const cst = parsedCel(condition.cel)
  const expression = jexl.compile(condition.jexl)
  const runs = {
    ours: () => filter.matches(payload),
    cel: () => evaluateCel(cst, payload),
    jexl: () => expression.evalSync(payload),
  }
  const answers = Object.values(runs).map((run) => run())
  if (new Set(answers).size !== 1) throw new Error(`${condition.ours} is answered with ${answers.join()}.`)
  return compared(10, runs)
}

const compilation = (condition: Condition): FilterCost =>
  compared(1, {
    ours: () => compiled(condition.ours),
    cel: () => parsedCel(condition.cel),
    jexl: () => jexl.createExpression(condition.jexl).compile(),
  })

/** For each condition: evaluation after compiling in all three, and compiling. */
export const filterCosts = (): Record<string, FilterCost> =>
  Object.fromEntries(
    Object.entries(CONDITIONS).flatMap(([name, condition]) => [
      [`${name}: evaluated`, evaluation(condition)],
      [`${name}: compiled`, compilation(condition)],
    ]),
  )
