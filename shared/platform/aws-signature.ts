import { defaultProvider } from '@aws-sdk/credential-provider-node'
import { Sha256 } from '@smithy/core/checksum'
import { SignatureV4 } from '@smithy/signature-v4'
import type { Instant } from './values/values.ts'

interface SignedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

interface SignatureScope {
  readonly service: string
  readonly region: string
}

/** A function uses its role. The operator's tool uses the credentials of its other AWS clients. */
const credentials = defaultProvider()

/** A name may occur several times. */
const queryOf = (searchParams: URLSearchParams): Record<string, string[]> =>
  Object.fromEntries([...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name)]))

/**
 * The headers of a request to AWS, with its signature.
 * @param at the machine's time, which AWS compares with its own
 * @throws when there are no credentials
 */
export const awsSignature = async (
  { url, headers, ...request }: SignedRequest,
  { service, region }: SignatureScope,
  at: Instant,
): Promise<Readonly<Record<string, string>>> => {
  const signer = new SignatureV4({ credentials, service, region, sha256: Sha256 })
  const { protocol, hostname, host, pathname: path, searchParams } = new URL(url)
  const unsigned = { ...request, protocol, hostname, path, query: queryOf(searchParams), headers: { host, ...headers } }
  return (await signer.sign(unsigned, { signingDate: new Date(at) })).headers
}
