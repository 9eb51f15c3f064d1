import { localAgent } from '#test/support/local-agent.ts'
import { type Json, type Service, until } from '#test/support/service.ts'
import { asking, CALLED, SILENT, underWay } from './asking.ts'

const AREAS = ['212', '646', '718', '917', '347', '929', '332', '516', '914', '845', '631', '607', '585']
/** Leads that surely get one of the ten lines. Earlier calls may still use some lines. */
const SURE = 7

const nth = <T>(list: readonly T[], index: number): T => {
  const found = list[index]
  if (found === undefined) throw new Error(`There are only ${list.length}.`)
  return found
}

/** Calls in progress, and what can happen to them. */
export const exerciseCalls = async (service: Service, directory: string): Promise<void> => {
  const agent = localAgent(service, directory)
  const asked = asking(service)
  const phone = (index: number) => `+1${nth(AREAS, index)}555${SILENT}`
  const create = async (fields: object) => (await asked('POST', '/api/leads/', { ...CALLED, ...fields })).id

  // More leads than lines. The sweep takes care of those that wait.
  const leads: number[] = []
  for (const index of AREAS.keys())
    leads.push(await create({ phone_number: phone(index), external_id: `silent-${index}`, email: `silent-${index}@example.com` }))
  const calls = await Promise.all(leads.slice(0, SURE).map((lead) => underWay(asked, lead)))
  // More leads with the same phones, so that stops reach several leads.
  for (const index of AREAS.slice(0, 6).keys())
    leads.push(await create({ phone_number: phone(index), email: `other-${index}@example.com` }))
  const isSilent = (call: string): boolean => leads.some((lead) => call.startsWith(`${lead}-`))

  for (const call of [nth(calls, 4), nth(calls, 5)]) await agent.tell(call, 'call.answered', '2026-11-20T16:01:00Z')
  const live = '/api/calls/live/'
  const representative = { id: 5, name: 'Ann' }
  await asked('POST', live, { call_id: nth(calls, 4), external_id: 'silent-live', representative })
  await asked('POST', live, { lead_id: nth(leads, 4), external_ids: { crm: 7 } })
  await asked('POST', live, { phone_number: phone(4), representative })

  const { slots } = (await agent.slots(nth(calls, 5))).body
  await agent.book(nth(calls, 5), nth(slots, 0).start_time)
  await agent.tell(nth(calls, 5), 'call.completed', '2026-11-20T16:02:00Z', { outcome: 'completed', is_contact: true })
  // The service calls this person at the same time: that call is cancelled.
  const { call_id: inbound } = (await agent.ring(phone(6))).body
  const { call_id } = (await agent.ring('+13155550026')).body
  // The report that comes last was made first: its email replaces the other.
  await agent.tell(call_id, 'call.data_collected', '2026-11-20T20:00:00Z', { collected: { email: 'later@example.com' } })
  await agent.tell(call_id, 'call.data_collected', '2026-11-20T12:00:00Z', { collected: { email: 'earlier@example.com' } })

  await asked('POST', '/api/dnc/', { phone_number: phone(0) })
  await asked('POST', '/api/consents/', { phone_number: phone(1), type: 'written', time: '2026-11-20T15:00:00Z' })
  await asked('POST', '/api/consents/revoke/', { phone_number: phone(0), how: 'By email.' })
  await asked('GET', `/api/consents/?phone_number=${encodeURIComponent(phone(0))}`)
  await asked('PATCH', `/api/leads/${nth(leads, 1)}/`, { call_dnc: true })
  await asked('PATCH', `/api/leads/${nth(leads, 1)}/`, { call_dnc: true })
  const match = { phone_number: phone(2), email: 'silent-2@example.com' }
  await asked('PUT', '/api/leads/update/', { ...match, external_id: 'silent-match' })
  await asked('PUT', '/api/leads/update/', { ...match, call_dnc: true })
  await asked('PATCH', '/api/leads/bulk-update/', { leads: [{ id: nth(leads, 3), call_dnc: true }] })
  // A worker applies these later: another phone with a stop, another external id, and a lead that is due again.
  await asked('PATCH', '/api/leads/bulk-update/', { leads: [{ id: nth(leads, 7), phone_number: '+13155550024', call_dnc: true }] })
  const other = await create({ phone_number: '+13155550025', external_id: 'cancelled', status: 'CANCELLED' })
  await asked('PATCH', '/api/leads/bulk-update/', { leads: [{ id: other, status: 'OPEN', external_id: 'opened' }] })

  // The silent calls end for good, also those that begin meanwhile: later leads need their lines.
  await until(
    async () => {
      const inProgress = (await asked('GET', '/api/users/me/activity/'))['calls'] as Json[]
      const over = inProgress.map((call) => `${call['call_id']}`).filter((id) => id === inbound || id === call_id || isSilent(id))
      for (const id of over) await agent.tell(id, 'call.completed', '2026-11-20T16:03:00Z', { outcome: 'not_interested' })
      return over
    },
    ({ length }) => length === 0,
  )

  // This person asks for no more calls.
  await create({ phone_number: '+13155550007' })

  // Leads that waited during a pause are called after it.
  const { userId: id } = service
  await asked('POST', `/api/users/${id}/pause-calls/`, { only_existing_leads: false }, 'pause')
  await create({ phone_number: '+13155550002' })
  await asked('POST', `/api/users/${id}/unpause-calls/`, {}, 'unpause')
}
