import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation'
import { describe, expect, it } from '@jest/globals'
import { mockClient } from 'aws-sdk-client-mock'
import { openTarget } from '#lib/ops/target.ts'

const cloudFormation = mockClient(CloudFormationClient)

const stack = (name: string, outputs: Record<string, string>) => ({
  StackName: name,
  CreationTime: new Date(0),
  StackStatus: 'CREATE_COMPLETE' as const,
  Outputs: Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
})

const target = { target: 'aws' as const, data: '.local', stage: 'prod', profile: undefined, region: 'eu-west-1' }

describe('a stage', () => {
  it('is what the outputs of its stacks tell, on all pages, and not those of other stages', async () => {
    cloudFormation
      .on(DescribeStacksCommand)
      .resolvesOnce({
        Stacks: [
          stack('lead-outreach-prod-data', { OperatorTableName: 'leads', OperatorPhoneHashSecretArn: 'arn:secret', Export: 'x' }),
          stack('lead-outreach-prod-eu-data', { OperatorTableName: 'others' }),
        ],
        NextToken: 'more',
      })
      .resolvesOnce({ Stacks: [stack('lead-outreach-prod-api', { OperatorPublicBaseUrl: 'https://a.co' })] })
    const environment: Record<string, string | undefined> = {}
    expect(await openTarget(target, environment)).toEqual({
      AWS_REGION: 'eu-west-1',
      TABLE_NAME: 'leads',
      PHONE_HASH_SECRET_ARN: 'arn:secret',
      PUBLIC_BASE_URL: 'https://a.co',
    })
    expect(environment).toEqual({ AWS_REGION: 'eu-west-1' })
  })

  it('that is not there is told as such', async () => {
    cloudFormation.on(DescribeStacksCommand).resolves({ Stacks: [] })
    await expect(openTarget(target, {})).rejects.toThrow('No stack of the stage prod tells what this tool needs')
  })
})
