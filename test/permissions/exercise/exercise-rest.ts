import type { Service } from '#test/support/service.ts'
import { asking, CALLED, called, NOT_CALLED } from './asking.ts'

/** Other requests of clients: lookups, changes, and a wrong method. */
export const exerciseRest = async (service: Service): Promise<void> => {
  const asked = asking(service)
  const phone_number = '+17755550101'
  const { id } = await asked('POST', '/api/leads/', { ...NOT_CALLED, phone_number, external_id: 'rest-1' })
  await asked('PATCH', `/api/leads/${id}/`, { external_id: 'rest-2' })
  await asked('GET', `/api/leads/${id}/explain/`)
  await asked('GET', `/api/leads/${id}/calling-times/`)
  await asked('GET', '/api/calling-hours/')
  await asked('GET', `/api/dnc/?phone_number=${encodeURIComponent(phone_number)}&history=true`)
  // With two matches without an email, the newer lead is updated.
  await asked('POST', '/api/leads/', { ...NOT_CALLED, phone_number })
  await asked('PUT', '/api/leads/update/', { phone_number, note: 'the newer one' })

  const destination = { url: 'http://127.0.0.1:9/gone' }
  const subscription = await asked('POST', '/api/webhooks/', { ...destination, trigger: ['CALL_ENDED'] })
  await asked('PATCH', `/api/webhooks/${subscription.id}/`, { headers: { 'x-key': 'secret' } })
  await asked('POST', '/api/webhooks/delete-by-url/', destination)
  const other = await asked('POST', '/api/webhooks/', { ...destination, trigger: ['CALL_ENDED'] })
  await asked('DELETE', `/api/webhooks/${other.id}/`)
  await asked('GET', '/api/health/')
  const askedByStaff = asking({ ...service, apiKey: service.staffApiKey })
  await askedByStaff('GET', '/api/health/details/')
  await askedByStaff('GET', '/api/users/')
  // Only clients with a key learn whether a method exists.
  await fetch(`${service.url}/api/leads/`, { method: 'DELETE', headers: { authorization: `Token ${service.apiKey}` } })

  const busy = await asked('POST', '/api/leads/', { ...CALLED, phone_number: '+17755550022' })
  await called(asked, busy.id)
  await asked('POST', `/api/leads/${busy.id}/schedule-call/`, {}, 'schedule')
}
