import { beforeAll, expect } from '@jest/globals'
import { handler as create } from '#functions/leads/create.ts'
import type { LeadType } from '#shared/accounts/configuration.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { NO_NEXT_CALL } from '#shared/calling/rules/next-call.ts'
import type { Lead } from '#shared/leads/lead.ts'
import { changeLead } from '#shared/leads/lead-store.ts'
import { helped } from '#test/support/helped.ts'
import { callWorld } from './agent-calls.ts'
import { sampleLeadType } from './samples.ts'
import { request } from './world.ts'

/** Error for a lead that exists already. */
export const UNIQUE = { non_field_errors: [helped('The fields email, phone_number, company must make a unique set. …')] }

/** Lead type ids, by their reengagement rule. */
export const TYPES = { off: 5, byPhone: 6, wide: 7, zero: 8 } as const

export const reengagingType = (id: number, reengagement: Partial<LeadType['reengagement']>): Promise<void> =>
  saveLeadType(sampleLeadType({ id, reengagement: { ...sampleLeadType().reengagement, ...reengagement } }))

export const post = (body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  request(create, { method: 'POST', path: '/api/leads/', headers, body: { timezone: 'America/New_York', ...body } })

/** A world with lead types of different reengagement rules, and with leads from the past. */
export const pastLeads = () => {
  const { world, queued } = callWorld()
  beforeAll(async () => {
    await Promise.all([
      reengagingType(TYPES.off, { enabled: false }),
      reengagingType(TYPES.byPhone, { match: 'phone', min_days: 0 }),
      reengagingType(TYPES.wide, { min_days: 0, eligible_statuses: ['NEW'] }),
      reengagingType(TYPES.zero, { min_days: 0 }),
    ])
  })

  /** Creates a lead, then closes it, unless `changes` says otherwise. */
  const past = async (body: Record<string, unknown>, changes: Partial<Lead> = {}): Promise<Lead> => {
    const { status, body: lead } = await post(body)
    expect(status).toBe(201)
    const changed = await changeLead(lead.id, (now) => ({ ...now, cause: 'outcome', ...NO_NEXT_CALL, status: 'CLOSED', ...changes }))
    await queued()
    return changed!
  }

  return { world, queued, past }
}
