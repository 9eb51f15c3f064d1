import { Validations } from 'aws-cdk-lib'
import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway'

interface GatewayAnswer {
  readonly type: ResponseType
  readonly status?: number
  /** JSON text, or a variable for which the gateway writes JSON text. */
  readonly detail: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The gateway's answers without a function, in the format of the API's other errors. */
const ANSWERS: readonly GatewayAnswer[] = [
  { type: ResponseType.DEFAULT_4XX, detail: '$context.error.messageString' },
  { type: ResponseType.DEFAULT_5XX, detail: '"A server error occurred."' },
  // The gateway's answer for an unknown path.
  { type: ResponseType.MISSING_AUTHENTICATION_TOKEN, status: 404, detail: '"Not found."' },
  { type: ResponseType.RESOURCE_NOT_FOUND, status: 404, detail: '"Not found."' },
  { type: ResponseType.REQUEST_TOO_LARGE, status: 413, detail: '"Request body is too large."' },
  { type: ResponseType.UNSUPPORTED_MEDIA_TYPE, status: 415, detail: '"Unsupported media type in request."' },
  {
    type: ResponseType.THROTTLED,
    status: 429,
    detail: '"Request was throttled. Expected available in 1 seconds."',
    headers: { 'Retry-After': "'1'" },
  },
  { type: ResponseType.INTEGRATION_FAILURE, status: 502, detail: '"A server error occurred."' },
  { type: ResponseType.INTEGRATION_TIMEOUT, status: 504, detail: '"The request took too long."' },
]

export const addGatewayResponses = (api: RestApi): void => {
  for (const { type, status, detail, headers } of ANSWERS) {
    api.addGatewayResponse(type.responseType, {
      type,
      ...(status !== undefined && { statusCode: `${status}` }),
      templates: { 'application/json': `{"detail": ${detail}}` },
      responseHeaders: { 'X-Request-Id': 'context.requestId', ...headers },
    })
  }
}

const UNAUTHORIZED =
  "The functions themselves check the API key, or the voice agent's signature. Their answers are those that clients of such an API expect."

/** Findings of the security rules that are intended in this API. */
export const acknowledgeApiRules = (api: RestApi, { hasFirewall }: { readonly hasFirewall: boolean }): void => {
  if (!hasFirewall) {
    Validations.of(api).acknowledge({
      id: 'AwsSolutions-APIG3',
      reason:
        'A firewall has a monthly price, so it is optional. The functions limit the rate of each user, and the gateway that of all users together.',
    })
  }
  Validations.of(api).acknowledge(
    { id: 'AwsSolutions-APIG4', reason: UNAUTHORIZED },
    { id: 'AwsSolutions-COG4', reason: UNAUTHORIZED },
    {
      id: 'AwsSolutions-APIG2',
      reason: 'The functions parse every request with a schema and report all failing fields at once. The gateway cannot do that.',
    },
    {
      id: 'AwsSolutions-APIG6',
      reason: 'The access log has every request. Execution logs would hold personal data, in a log group without retention.',
    },
    {
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
      reason: 'API Gateway accepts only this policy for writing access logs.',
    },
  )
}
