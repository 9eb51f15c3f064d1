import type { Service } from '#test/support/service.ts'
import { endingOf, STOPPING } from './people.ts'

/** One received webhook. */
export interface Told {
  readonly webhookId: string
  readonly payload: {
    readonly id: number
    readonly trigger: string
    readonly next_call_time_reason?: string | null
    readonly call?: { readonly call_id: string }
  }
}

export interface State {
  readonly status: string
  readonly status_detail: string | null
  readonly status_reason: string | null
  readonly call_dnc: boolean
  readonly next_call_time: string | null
}

type Dials = Awaited<ReturnType<Service['dials']>>

export interface Evidence {
  /** Acknowledged leads with their phones. */
  readonly leads: ReadonlyMap<number, string>
  /** Create requests by phone, acknowledged or not. */
  readonly asked: ReadonlyMap<string, number>
  readonly states: ReadonlyMap<number, State>
  readonly told: readonly Told[]
  /** Webhooks with a wrong signature. */
  readonly forged: number
  readonly dials: Dials
  /** Calls that their owner may have in progress at once. */
  readonly lines: number
  /** Now by the service's clock, in epoch milliseconds. */
  readonly now: number
}

/**
 * From this many milliseconds after its request on, a call may become UNKNOWN even if its outcome arrives later. Half a minute, less a
 * margin.
 */
const FATE_UNKNOWN_MS = 25_000
/** Milliseconds until a lead whose phone is in a call is tried again: two minutes, plus a margin for the sweep. */
const PHONE_BUSY_MS = 150_000
const OVERDUE_MS = 15_000

type Fate = 'called' | 'late' | 'unknown' | 'waits' | 'stopped'
const FATES: Record<Fate, string> = {
  called: 'called, the outcome taken up',
  late: 'called, the outcome told after half a minute of silence',
  unknown: 'not called: of unknown fate, the next call stands',
  waits: 'not called yet: the phone was in a call, or the agent was not asked in time; the next call is near',
  stopped: 'not called: the person had asked for that meanwhile',
}

/** Lists broken or pending promises, and the numbers behind them. */
export const faultsOf = (evidence: Evidence): { faults: string[]; waiting: number; lines: string[] } => {
  const faults: string[] = []
  const fates: Fate[] = []
  const events = new Set(
    evidence.told.flatMap(({ payload: { id, trigger, call } }) => [`${id} ${trigger}`, `${id} ${trigger} ${call?.call_id}`]),
  )
  for (const [id, phone] of evidence.leads) {
    const lead = fateOf(id, phone, evidence, (trigger) => events.has(`${id} ${trigger}`))
    faults.push(...lead.faults.map((fault) => `lead ${id} (${phone.slice(-4)}): ${fault}`))
    if (lead.fate) fates.push(lead.fate)
  }
  const mostAtOnce = atOnce(evidence.dials)
  faults.push(...dialFaults(evidence, mostAtOnce), ...webhookFaults(evidence))
  const waiting = fates.filter((fate) => fate === 'waits').length
  return { faults, waiting, lines: linesOf(evidence, fates, mostAtOnce) }
}

type Has = (trigger: string) => boolean

const fateOf = (id: number, phone: string, evidence: Evidence, has: Has): { faults: string[]; fate?: Fate } => {
  const state = evidence.states.get(id)
  if (!state) return { faults: ['was acknowledged and is not there'] }
  const call = evidence.dials.calls.find(({ key, dialled }) => key.startsWith(`${id}-`) && dialled)
  const isAttempted = call !== undefined || has('CALL_FAILED')
  const faults = missing(has, ['LEAD_CREATED', ...(isAttempted ? ['BEFORE_CALLING'] : [])])
  if (call) return afterCall(call, state, phone, has, faults)
  const fate = withoutCall(state, phone, evidence, has)
  return fate ? { faults, fate } : { faults: [...faults, `was not called (${describe(state)})`] }
}

const missing = (has: Has, triggers: readonly string[]): string[] =>
  triggers.filter((trigger) => !has(trigger)).map((trigger) => `no ${trigger}`)

const describe = ({ status, status_detail, status_reason, call_dnc, next_call_time }: State): string =>
  [status, status_detail, status_reason, call_dnc && 'call_dnc', next_call_time ? 'next call stands' : 'no next call']
    .filter(Boolean)
    .join(', ')

const afterCall = (
  call: Dials['calls'][number],
  state: State,
  phone: string,
  has: Has,
  faults: string[],
): { faults: string[]; fate: Fate } => {
  faults.push(...missing(has, ['CALL_COMPLETE']))
  if (!call.acknowledged) faults.push('the agent could not tell how its call went')
  if (has(`CALL_FAILED ${call.key}`)) {
    const toldAfter = Date.parse(call.acknowledged_time ?? '') - Date.parse(call.first_request_time)
    if (toldAfter > FATE_UNKNOWN_MS) return { faults, fate: 'late' }
    faults.push('its call took place, and was told as failed')
  }
  const ending = endingOf(phone)
  const differs = Object.entries(ending?.state ?? {}).some(([name, value]) => state[name as keyof State] !== value)
  if (differs || (state.next_call_time !== null) !== ending?.isCalledAgain) faults.push(`its call ended, and it is ${describe(state)}`)
  return { faults: [...faults, ...missing(has, ending?.told ?? [])], fate: 'called' }
}

/** Why a lead without a call is still safe. Undefined when it is lost. */
const withoutCall = (state: State, phone: string, { asked, dials, now }: Evidence, has: Has): Fate | undefined => {
  const next = state.next_call_time === null ? undefined : Date.parse(state.next_call_time)
  const isShared = (asked.get(phone) ?? 0) > 1
  if (isShared && phone.endsWith(STOPPING) && state.call_dnc && next === undefined && dials.by_phone[phone]) return 'stopped'
  if (next === undefined || state.status !== 'OPEN') return undefined
  const isNear = next > now - OVERDUE_MS && next < now + PHONE_BUSY_MS
  if (has('CALL_FAILED')) return isNear ? 'waits' : 'unknown'
  return isShared && isNear ? 'waits' : undefined
}

const dialFaults = ({ asked, dials, lines }: Evidence, mostAtOnce: number): string[] => {
  const faults: string[] = []
  for (const [key, count] of Object.entries(dials.by_key)) {
    if (count > 1) faults.push(`call ${key} was dialled ${count} times`)
    if (!/^\d+-\d+$/.test(key)) faults.push(`call ${key} is no attempt of a lead`)
  }
  for (const [lead, attempts] of Map.groupBy(Object.keys(dials.by_key), (key) => key.split('-')[0])) {
    if (attempts.length > 1) faults.push(`lead ${lead} was dialled in ${attempts.length} attempts`)
  }
  for (const [phone, count] of Object.entries(dials.by_phone)) {
    const most = phone.endsWith(STOPPING) ? 1 : (asked.get(phone) ?? 0)
    if (count > most) faults.push(`${phone} was dialled ${count} times, for ${most} leads that may be called`)
  }
  if (dials.in_progress_overlaps > 0) faults.push(`${dials.in_progress_overlaps} calls to a phone already in a call`)
  if (mostAtOnce > lines) faults.push(`${mostAtOnce} calls at once on ${lines} lines`)
  return faults
}

const webhookFaults = ({ told, forged }: Evidence): string[] => {
  const idsByEvent = Map.groupBy(told, ({ payload }) => `${payload.id} ${payload.trigger} ${payload.call?.call_id ?? ''}`)
  const doubled = [...idsByEvent].flatMap(([event, all]) => {
    const ids = new Set(all.map(({ webhookId }) => webhookId)).size
    return ids > 1 ? [`${event} came under ${ids} ids`] : []
  })
  return forged > 0 ? [...doubled, `${forged} webhooks had a wrong signature`] : doubled
}

/** Most calls in progress at one moment. */
const atOnce = ({ calls }: Dials): number => {
  const spans = calls.flatMap(({ first_request_time, end_time }) =>
    end_time ? [[Date.parse(first_request_time), Date.parse(end_time)] as const] : [],
  )
  return Math.max(0, ...spans.map(([at]) => spans.filter(([from, until]) => from <= at && at < until).length))
}

const linesOf = ({ leads, states, told, dials, lines }: Evidence, fates: readonly Fate[], mostAtOnce: number): string[] => {
  const distinct = new Set(told.map(({ webhookId }) => webhookId)).size
  const requests = Object.values(dials.requests).reduce((sum, count) => sum + count, 0)
  const waited = new Set(told.flatMap(({ payload }) => (payload.next_call_time_reason === 'CAPACITY' ? [payload.id] : []))).size
  return [
    `leads acknowledged: ${leads.size}, there: ${states.size}`,
    ...Object.entries(FATES).map(([fate, text]) => `  ${text}: ${fates.filter((one) => one === fate).length}`),
    `requests to the agent: ${requests}, calls dialled: ${Object.keys(dials.by_key).length}, most dials of one call: ${Math.max(0, ...Object.values(dials.by_key))}, overlaps: ${dials.in_progress_overlaps}`,
    `most calls at once: ${mostAtOnce} on ${lines} lines; leads that waited for a line: ${waited}`,
    `webhooks received: ${told.length}, distinct events: ${distinct}, repeats: ${told.length - distinct}`,
  ]
}
