import { Validations } from 'aws-cdk-lib'
import type { RestApi } from 'aws-cdk-lib/aws-apigateway'

const UNAUTHORIZED =
  "The functions check the API key, or the voice agent's signature, themselves: the answers are those that clients of such an API expect."

/** Findings of the security rules that are intended in this API. */
export const acknowledgeApiRules = (api: RestApi, { hasFirewall }: { readonly hasFirewall: boolean }): void => {
  if (!hasFirewall) {
    Validations.of(api).acknowledge({
      id: 'AwsSolutions-APIG3',
      reason: 'A firewall with its monthly price is the choice of who deploys; the functions throttle each user, the gateway all together.',
    })
  }
  Validations.of(api).acknowledge(
    { id: 'AwsSolutions-APIG4', reason: UNAUTHORIZED },
    { id: 'AwsSolutions-COG4', reason: UNAUTHORIZED },
    {
      id: 'AwsSolutions-APIG2',
      reason: 'The functions parse every request with a schema and name all failing fields at once; the gateway could not.',
    },
    {
      id: 'AwsSolutions-APIG6',
      reason: 'The access log has every request. Execution logs would hold personal data, in a log group without retention.',
    },
    {
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
      reason: 'The one policy that API Gateway accepts for writing access logs.',
    },
  )
}
