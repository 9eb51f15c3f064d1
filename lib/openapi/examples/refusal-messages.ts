import { parseJson } from '#shared/http/json.ts'
import { authenticate } from '#shared/http/steps/authentication.ts'
import { MAX_BODY_BYTES, readOrRefuse } from '#shared/http/steps/body.ts'
import { readIncoming } from '#shared/http/steps/incoming.ts'
import { ServiceError } from '#shared/platform/values/errors.ts'

/** The message of a refusal, in the words of the code that refuses. @throws Error when nothing is refused */
const messageOf = async (ask: () => unknown): Promise<string> => {
  try {
    await ask()
  } catch (error) {
    if (error instanceof ServiceError) return error.message
    throw error
  }
  throw new Error('An example of a refusal is not refused.')
}

const incoming = readIncoming({
  ...{ httpMethod: 'POST', path: '/api/leads/', resource: '/api/leads', body: 'Ann', isBase64Encoded: false },
  ...{ headers: { 'Content-Type': 'text/plain' }, pathParameters: null, queryStringParameters: null },
  requestContext: { requestId: '', resourcePath: '/api/leads' },
})

/** Messages of refusals that many requests may get. */
export const REFUSAL_MESSAGES = {
  noKey: await messageOf(() => authenticate({})),
  // A mistyped key is refused without the table.
  wrongKey: await messageOf(() => authenticate({ authorization: 'Token lok_0123' })),
  noJson: await messageOf(() => parseJson('{"phone_number": }')),
  mediaType: await messageOf(() => readOrRefuse(incoming, { forms: true }, () => undefined)),
  tooLarge: `Request body is larger than ${MAX_BODY_BYTES} bytes.`,
}
