import { expect } from '@jest/globals'
import { newApiKey } from '#shared/accounts/api-key-store.ts'
import { type Service, until } from './service.ts'

/** All personal or secret texts that a test used. No log line may contain one. */
export const secrets = new Set<string>()
export const secret = (text: string): string => {
  secrets.add(text)
  return text
}
/** The log is searched for the national digits, which also finds the number with its country code. */
export const phone = (national: string): string => {
  secret(national)
  return `+1${national}`
}
const written = (national: string): string => secret(`(${secret(national).slice(0, 3)}) ${national.slice(3, 6)}-${national.slice(6)}`)
export const email = (name: string): string => secret(`${name}@example.com`)

const NOBODYS_KEY = secret(newApiKey())
export const HEADERS = { 'X-Shop-Key': secret('header-value-1f83c7'), Authorization: `Bearer ${secret('bearer-token-92ad01')}` }

const mistyped = (key: string) => secret(`${key.slice(0, 10)}${key[10] === 'x' ? 'y' : 'x'}${key.slice(11)}`)

/** Bad requests of clients, with personal or secret data in every part. */
export const provoke = async (service: Service): Promise<void> => {
  const post = (path: string, body: unknown) => service.call('POST', path, body)
  const malformed = `{"phone_number": "${phone('2125550131')}", "email": "${email('malformed')}", oops`
  await Promise.all([
    ...['/api/leads/', '/api/leads/bulk-create/', '/api/dnc/', '/api/webhooks/'].map((path) => post(path, malformed)),
    post('/api/leads/', `+${secret('12125550132')}`),
    post('/api/leads/', { phone_number: { number: phone('2125550133') }, email: `not an email of ${secret('12125550134')}` }),
    post('/api/leads/bulk-create/', [
      { phone_number: phone('8085550135'), timezone: 'Pacific/Honolulu' },
      { phone_number: '12', email: email('row') },
    ]),
    post('/api/dnc/', { phone_number: phone('2125550136') }),
    service.call('PATCH', '/api/leads/update/', { phone_number: phone('2125550137'), email: email('nobody') }),
    ...['GET', 'PUT'].map((method) => service.call(method, `/api/leads/+1${secret('2125550138')}/`)),
    service.call('GET', `/api/leads/%2B1${secret('2125550139')}/`),
    service.call('GET', `/api/${email('path')}/`),
    service.call('GET', `/api/leads/?phone_number=%2B1${secret('2125550140')}&email=${email('query')}`),
    post('/api/webhooks/', { url: `https://user:${secret('password-77')}@127.0.0.1/`, trigger: ['LEAD_CREATED'], headers: HEADERS }),
    ...[NOBODYS_KEY, mistyped(service.apiKey), `a ${service.apiKey}`, secret(`key of ${email('key')}`)].map((key) =>
      service.call('GET', '/api/users/me/', undefined, key),
    ),
    fetch(`${service.url}/api/leads/`, {
      method: 'POST',
      headers: { ...HEADERS, 'Idempotency-Key': secret('once-only-31c5'), Cookie: `session=${secret('cookie-84af')}` },
      body: '{}',
    }),
    post('/api/agents/calls/7-1/events/', { type: 'call.completed', phone: phone('2125550141') }),
    post(`/api/ingest-lead/${service.ingestId}/`, {
      contact: { phone: phone('8085550142'), email: email('ingest') },
      address: { state: 'HI' },
    }),
    post(`/api/ingest-lead/${service.ingestId}/`, { contact: { phone: written('2125550'), email: email('bad') }, address: 7 }),
  ])
}

const upload = async (service: Service, filename: string, text: string): Promise<void> => {
  const { body } = await service.call('POST', '/api/ingestion/upload/', { source: service.uploadSource, filename })
  secret(`${new URL(`${body['signed_url']}`).searchParams.get('X-Amz-Signature')}`)
  for (const content of [text, `${text} `])
    expect((await fetch(`${body['signed_url']}`, { method: 'PUT', body: content })).status).toBe(200)
  await until(
    async () => (await service.call('GET', `/api/ingestion/uploads/${body['upload_id']}/`)).body,
    ({ status }) => status === 'done' || status === 'failed',
  )
}

/** Uploads a file with one good and one bad row, and a file that cannot be read. */
export const uploadFiles = async (service: Service): Promise<void> => {
  const rows = [
    `A-1,Ann,Lee,${written('8085550151')},${email('ann')},HI,96813,web`,
    `A-2,Bob,Lee,${written('80855501')},${email('bob')},ZZ,,`,
  ]
  await upload(
    service,
    `leads of ${secret('2125550152')}.csv`,
    ['Lead ID,First Name,Last Name,Phone,Email,State,Zip,Source', ...rows].join('\n'),
  )
  await upload(service, 'none.csv', `Phone\n"${phone('2125550153')}`)
}
