import { randomUUID } from 'node:crypto'
import { localAgent } from '#test/support/local-agent.ts'
import { type Json, type Service, until } from '#test/support/service.ts'
import { asking, CALLED, called, NOT_CALLED } from './asking.ts'

/** Phone and email, by which a person is recognised who comes again with another external id. */
const person = (area: string, digits: string) => ({ phone_number: `+1${area}555${digits}`, email: `${area}${digits}@example.com` })
const AGAIN = { min_reengagement_days: 0 }

/** A person with a closed lead, which is reopened when the person comes again. */
const COMES_BACK = person('503', '0002')

const payload = ({ phone_number, email }: ReturnType<typeof person>, ref: string) => ({
  ref,
  contact: { phone: phone_number, email, name: { first: 'Ann' } },
  address: { state: 'NY' },
})

/** Leads that come in several ways, some of them twice. */
export const exerciseLeads = async (service: Service): Promise<void> => {
  const asked = asking(service)
  const closed = (fields: object) => asked('POST', '/api/leads/', { ...NOT_CALLED, status: 'CLOSED', ...fields })

  const [created, many] = [person('206', '0101'), person('206', '0102')]
  await closed({ ...created, external_id: 'created-1', lead_source: 'web' })
  await asked('POST', '/api/leads/', { ...NOT_CALLED, ...AGAIN, ...created, external_id: 'created-2' })
  await closed({ ...many, external_id: 'many-1' })
  const again = { ...NOT_CALLED, ...AGAIN, ...many, external_id: 'many-2' }
  await asked('POST', '/api/leads/bulk-create/', { leads: [again, { ...CALLED, phone_number: '+12065550002' }] })

  const ingest = `/api/ingest-lead/${service.ingestId}/`
  const second = person('503', '0022')
  await closed({ ...COMES_BACK, external_id: 'back-1' })
  await asked('POST', `${ingest}upsert/`, payload(second, 'second-1'))
  await asked('POST', `${ingest}upsert/`, payload(second, 'second-2'))
  await asked('GET', '/api/leads/?status=CLOSED')
}

/** Paths of destinations: one asks to retry later, one to retry soon, one fails, and one is slow enough for the slow queue. */
export const BUSY = '/busy'
export const BUSY_SHORTLY = '/busy-shortly'
export const FAILING = '/failing'
export const SLOW = '/slow'

/** Subscriptions, and deliveries besides those of events: a test, a resend and a replay. */
export const exerciseWebhooks = async (service: Service, url: string): Promise<void> => {
  const asked = asking(service)
  for (const path of [BUSY, BUSY_SHORTLY, FAILING, SLOW])
    await asked('POST', '/api/webhooks/', { url: `${url}${path}`, trigger: ['LEAD_CREATED'] })
  const subscription = await asked('POST', '/api/webhooks/', { url, trigger: ['CALL_COMPLETE'], headers: { 'x-key': randomUUID() } })
  await asked('POST', `/api/webhooks/${subscription.id}/test/`, {}, 'test')
  const log = `/api/webhooks/${subscription.id}/deliveries/`
  const [delivery] = await until(
    async () => (await asked('GET', log))['results'] as Json[],
    (all) => all.some(({ status }) => status === 'delivered'),
  )
  await asked('POST', `${log}${delivery?.['delivery_id']}/resend/`, {}, 'resend')
  await asked('GET', `${log}?status=failed`)
  await asked('POST', `/api/webhooks/${subscription.id}/enable/`, {}, 'enable')
  const talked = await asked('POST', '/api/leads/', { ...CALLED, phone_number: '+12135550025' })
  await called(asked, talked.id)
  // The lead notes its call after the call is over.
  await until(
    () => asked('POST', '/api/agents/webhooks/replay-recent-chat/', { lead_ids: [talked.id], triggers: ['CALL_COMPLETE'] }),
    ({ queued }) => queued === 1,
  )
}

const HEADER = 'Lead ID,First Name,Phone,Email,State'

/** Uploads a file, and waits until it was read. */
const uploadRows = async (service: Service, rows: readonly string[]): Promise<void> => {
  const asked = asking(service)
  const { signed_url, upload_id } = await asked('POST', '/api/ingestion/upload/', { source: service.uploadSource, filename: 'leads.csv' })
  const { status } = await fetch(`${signed_url}`, { method: 'PUT', body: [HEADER, ...rows].join('\n') })
  if (status !== 200) throw new Error(`The file was answered ${status}.`)
  await until(
    () => asked('GET', `/api/ingestion/uploads/${upload_id}/`),
    (upload) => upload.status === 'done',
  )
  await asked('GET', '/api/ingestion/uploads/')
}

/** New persons in each way, and one who comes again so late that an earlier lead is reopened. */
export const exerciseLeadsLater = async (service: Service, directory: string): Promise<void> => {
  const asked = asking(service)
  await asked('POST', '/api/leads/', { ...NOT_CALLED, ...person('702', '0101') })
  await asked('POST', '/api/leads/bulk-create/', { leads: [{ ...NOT_CALLED, ...person('702', '0102') }] })
  const ingest = `/api/ingest-lead/${service.ingestId}/`
  await asked('POST', ingest, payload(COMES_BACK, 'back-2'))
  await asked('POST', ingest, payload(person('702', '0103'), 'later-1'))
  await asked('POST', `${ingest}upsert/`, payload(person('702', '0104'), 'later-2'))
  await localAgent(service, directory).ring('+17025550105')
  for (const { id } of (await asked('GET', '/api/webhooks/'))['results'] as Json[]) await asked('GET', `/api/webhooks/${id}/deliveries/`)
  await uploadRows(service, [
    'file-1,Ann,+17025550106,first@example.com,NY',
    'file-1,Ann,+17025550106,second@example.com,NY',
    'bad,Eve,12,,ZZ',
  ])
}
