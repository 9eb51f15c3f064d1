import { EXAMPLES } from './examples/examples.ts'
import type { Json } from './operation.ts'
import { signatureHeaderParameters } from './parameters.ts'
import { type Component, refTo } from './schemas.ts'

/** The requests that this service sends to voice agents of our own protocol. */

const CONTENT_TYPE = 'application/json'

const headers = {
  'Idempotency-Key': {
    description: 'Names the request. A repeat has the same key: give it the same answer, and do nothing again.',
    schema: { type: 'string', minLength: 1 },
  },
  ...signatureHeaderParameters,
}

const content = (holds: Extract<Component, keyof typeof EXAMPLES>): Json => ({
  [CONTENT_TYPE]: { schema: refTo(holds), example: EXAMPLES[holds] },
})

const webhook = (text: { readonly summary: string; readonly description: string }, body: 'PlaceCall' | 'CancelCall', responses: Json) => ({
  post: {
    tags: ['Voice agents'],
    ...text,
    parameters: Object.entries(headers).map(([name, header]) => ({ name, in: 'header', required: true, ...header })),
    requestBody: { required: true, content: content(body) },
    responses,
    security: [{ agent: [] }],
  },
})

const answer = (description: string): Json => ({ description })

/** Answers that do not mean no. Redirects are among the others. */
const open = (unclear: Json): Json => ({ 408: unclear, 409: unclear, 425: unclear, 429: unclear, 499: unclear, default: unclear })

const placed: Json = { description: 'The agent dials, or has dialled before for this key.', content: content('PlacedCall') }
const notPlaced = answer('Refused: the agent has dialled nobody, and never will for this key.')
const unclear = answer(
  'Unclear, as is an answer 2xx without a `provider_call_id`, and no answer within 5 seconds: the phone may ring. The request is repeated with the same key until `not_after`. Then the call is `UNKNOWN`.',
)

const cancelled = answer('Accepted. It is not asked again.')
const notCancelled = answer('Refused: the call goes on, or the agent does not know it. It is not asked again.')
const unclearCancel = answer('Any other answer, or none within 5 seconds: the request is repeated for a minute.')

/** By name. The path is that of the agent's URL. */
export const agentWebhooks: Json = {
  placeCall: webhook(
    {
      summary: 'The service asks a voice agent to place a call',
      description:
        'Sent to the URL of the agent. Dial at most once for each `Idempotency-Key`, which is the `call_id`. Answer at once, and report what happens to `callback_url`.',
    },
    'PlaceCall',
    { '2XX': placed, '4XX': notPlaced, ...open(unclear) },
  ),
  cancelCall: webhook(
    {
      summary: 'The service asks a voice agent to end a call that rings',
      description:
        'Sent to the URL of the agent with `/cancel` at the end, while nobody has answered. The `Idempotency-Key` is the `call_id` with `-cancel` at the end. Report the end of the call as usual.',
    },
    'CancelCall',
    { '2XX': cancelled, '4XX': notCancelled, ...open(unclearCancel) },
  ),
}
