import { type Service, until } from '../service.ts'
import { HOSTILE } from './people.ts'

/** A lead whose call is over. */
export const calledLead = async (running: Service): Promise<number> => {
  const { body } = await running.call('POST', '/api/leads/', {
    ...{ phone_number: '+12125550001', email: 'ann@example.com', first_name: 'Ann', last_name: 'Lee' },
    ...{ us_state: 'NY', zip: '10001', external_id: 'A-17', lead_source: 'Partner' },
  })
  await until(
    () => running.call('GET', `/api/leads/${body.id}/`),
    (answer) => answer.body.status === 'CLOSED',
  )
  return body.id
}

/** Nothing listens at the destination, so that all attempts fail. */
export const seedWebhooks = async (running: Service): Promise<number> => {
  const url = 'http://127.0.0.1:9/hooks/{{us_state}}'
  const fields = { url, trigger: ['LEAD_CREATED', 'CALL_COMPLETE', 'LEAD_CALLBACK_TO_TRANSFER'] }
  await running.call('POST', '/api/webhooks/', { ...fields, filter_condition: `metadata.note == '${HOSTILE.rightToLeft}'` })
  const { body } = await running.call('POST', '/api/webhooks/', { ...fields, filter_condition: "us_state == 'NY' and has('email')" })
  await running.call('POST', `/api/webhooks/${body.id}/test/`)
  return body.id
}

/** The simulated agent calls such a number, and then reports nothing. */
export const SILENT_CALL = '+13035550011'

/** A call in progress, and a lead that is due soon. */
export const seedNow = async (running: Service): Promise<void> => {
  const place = { us_state: 'NY', zip: '10001' }
  await running.call('POST', '/api/leads/', { ...place, phone_number: SILENT_CALL })
  await running.call('POST', '/api/leads/', { ...place, phone_number: '+12025550190', call_schedule_start_time: '2026-11-20T16:50:00Z' })
}
