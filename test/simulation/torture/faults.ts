import type { Service } from '#test/support/service.ts'

/** One webhook as it arrived. */
export interface Told {
  readonly webhookId: string
  readonly payload: { readonly id: number; readonly trigger: string; readonly call?: { readonly call_id: string } }
}

export interface Evidence {
  /** Leads that were acknowledged, with their phones. */
  readonly leads: ReadonlyMap<number, string>
  readonly states: ReadonlyMap<number, { readonly status: string }>
  readonly told: readonly Told[]
  readonly dials: Awaited<ReturnType<Service['dials']>>
}

const STATUS_EVENTS: Record<string, string> = {
  CLOSED: 'LEAD_CLOSED',
  LOST: 'LEAD_LOST',
  SCHEDULE_COMPLETED: 'LEAD_SCHEDULE_COMPLETED',
  BAD_NUMBER: 'LEAD_BAD_NUMBER',
}

/** What of the promises is broken, or not kept yet, and the numbers behind it. */
export const faultsOf = ({ leads, states, told, dials }: Evidence): { faults: string[]; lines: string[] } => {
  const idsByEvent = new Map<string, Set<string>>()
  for (const { webhookId, payload } of told) {
    const event = `${payload.id} ${payload.trigger} ${payload.call?.call_id ?? ''}`
    idsByEvent.set(event, (idsByEvent.get(event) ?? new Set()).add(webhookId))
  }
  const events = new Set(told.map(({ payload }) => `${payload.id} ${payload.trigger}`))
  const has = (id: number, trigger: string): boolean => events.has(`${id} ${trigger}`)

  const faults: string[] = []
  for (const [id, phone] of leads) {
    const status = states.get(id)?.status
    if (!status) faults.push(`lead ${id} was acknowledged and is not there`)
    if (!dials.by_phone[phone]) faults.push(`lead ${id} was not called`)
    const missing = ['LEAD_CREATED', 'BEFORE_CALLING', STATUS_EVENTS[status ?? '']].filter((trigger) => trigger && !has(id, trigger))
    if (!has(id, 'CALL_COMPLETE') && !has(id, 'CALL_FAILED')) missing.push('CALL_COMPLETE or CALL_FAILED')
    if (missing.length > 0) faults.push(`lead ${id} (${status}): no ${missing.join(', ')}`)
  }
  for (const [key, count] of Object.entries(dials.by_key)) if (count > 1) faults.push(`call ${key} was dialled ${count} times`)
  for (const [phone, count] of Object.entries(dials.by_phone)) if (count > 1) faults.push(`${phone} was dialled ${count} times`)
  if (dials.in_progress_overlaps > 0) faults.push(`${dials.in_progress_overlaps} calls to a phone already in a call`)
  for (const [event, ids] of idsByEvent) if (ids.size > 1) faults.push(`${event} came under ${ids.size} ids`)

  const distinct = new Set(told.map(({ webhookId }) => webhookId)).size
  const requests = Object.values(dials.requests).reduce((sum, count) => sum + count, 0)
  const unclear = [...leads.keys()].filter((id) => has(id, 'CALL_FAILED') && !has(id, 'CALL_COMPLETE'))
  return {
    faults,
    lines: [
      `leads acknowledged: ${leads.size}, there: ${states.size}, called: ${[...leads.values()].filter((phone) => dials.by_phone[phone]).length}`,
      `requests to the agent: ${requests}, calls dialled: ${Object.keys(dials.by_key).length}, most dials of one call: ${Math.max(0, ...Object.values(dials.by_key))}, overlaps: ${dials.in_progress_overlaps}`,
      `webhooks received: ${told.length}, distinct events: ${distinct}, repeats: ${told.length - distinct}`,
      `calls of unknown fate: ${unclear.length}`,
    ],
  }
}
