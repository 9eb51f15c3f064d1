import { ConnectClient, ListPhoneNumbersCommand, StartOutboundVoiceContactCommand } from '@aws-sdk/client-connect'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { awsSignature } from '#shared/platform/aws-signature.ts'

const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret-1', AWS_SESSION_TOKEN: 'session-1' }
const REGION = 'us-west-2'

let before: NodeJS.ProcessEnv
beforeAll(() => {
  before = { ...process.env }
  Object.assign(process.env, CREDENTIALS)
})
afterAll(() => {
  for (const name of Object.keys(CREDENTIALS)) delete process.env[name]
  Object.assign(process.env, before)
})

interface Sent {
  readonly method: string
  readonly hostname: string
  readonly path: string
  readonly query: Record<string, string | string[]>
  readonly headers: Record<string, string>
  readonly body?: string
}

/** The request that the AWS client for Amazon Connect would send. */
const sentByClient = async (run: (client: ConnectClient) => Promise<unknown>): Promise<Sent> => {
  let sent: Sent | undefined
  const handle = async (request: unknown): Promise<never> => {
    sent = request as Sent
    throw new Error('Nothing is sent.')
  }
  const client = new ConnectClient({ region: REGION, maxAttempts: 1, requestHandler: { handle } as never })
  await expect(run(client)).rejects.toThrow('Nothing is sent.')
  return sent!
}

/** The headers that the signature adds. The client's own signature covers all its other headers too. */
const ADDED = /^(host|authorization|user-agent|x-amz-(date|security-token|content-sha256))$/

const requests: readonly (readonly [string, (client: ConnectClient) => Promise<unknown>])[] = [
  [
    'with a body',
    (client) =>
      client.send(
        new StartOutboundVoiceContactCommand({
          ...{ InstanceId: 'i-1', ContactFlowId: 'flow', DestinationPhoneNumber: '+12125550123', ClientToken: 'token' },
          Attributes: { name: 'Zoë' },
        }),
      ),
  ],
  [
    'with a query and a path that must be escaped',
    (client) =>
      client.send(
        new ListPhoneNumbersCommand({ InstanceId: 'a b/c', PhoneNumberTypes: ['DID', 'TOLL_FREE'], NextToken: 'x+/=&', MaxResults: 5 }),
      ),
  ],
]

describe('the signature of a request to AWS', () => {
  it.each(requests)('the signature of a request to AWS is the one that the AWS client makes: %s', async (_, run) => {
    const { method, hostname, path, query, headers, body } = await sentByClient(run)
    const url = new URL(`https://${hostname}${path}`)
    for (const [name, values] of Object.entries(query)) for (const value of [values].flat()) url.searchParams.append(name, value)
    const own = Object.fromEntries(Object.entries(headers).filter(([name]) => !ADDED.test(name)))
    const date = headers['x-amz-date']!.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
    const request = { method, url: url.href, headers: own, ...(body && { body }) }
    const signed = await awsSignature(request, { service: 'connect', region: REGION }, Date.parse(date))
    expect(signed['authorization']).toBe(headers['authorization'])
    expect(signed).toMatchObject({ host: hostname, 'x-amz-security-token': 'session-1', 'x-amz-date': headers['x-amz-date'] })
  })

  it('the signature of a request to AWS covers the host with its port, as it is sent', async () => {
    const request = { method: 'GET', url: 'http://127.0.0.1:8080/instance/i', headers: {} }
    const signed = await awsSignature(request, { service: 'connect', region: REGION }, 0)
    expect(signed['host']).toBe('127.0.0.1:8080')
    expect(signed['authorization']).toContain('SignedHeaders=host;')
  })
})
