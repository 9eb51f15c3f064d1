import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation'
import { describe, expect, it } from '@jest/globals'
import { mockClient } from 'aws-sdk-client-mock'
import { runOps } from '#lib/ops/program.ts'
import { OpsMistake } from '#lib/ops/refusal.ts'
import { openTarget } from '#lib/ops/target.ts'

const cloudFormation = mockClient(CloudFormationClient)

const stack = (name: string, outputs: Record<string, string>) => ({
  StackName: name,
  CreationTime: new Date(0),
  StackStatus: 'CREATE_COMPLETE' as const,
  Outputs: Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
})

const target = { target: 'aws' as const, stage: 'prod', profile: undefined, region: 'eu-west-1' }

describe('the target of a command', () => {
  it('the target of an ops command is configured from all stack outputs of its stage, page by page', async () => {
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

  it.each(['Prod', 'prod.*', '(', ''])(
    'the target of an ops command is refused without a look-up when the stage name is invalid: %j',
    async (stage) => {
      const before = cloudFormation.calls().length
      await expect(openTarget({ ...target, stage }, {})).rejects.toThrow(
        new OpsMistake(`--stage must be 1 to 20 of a-z, 0-9 and -, a letter first, not "${stage}".`),
      )
      expect(cloudFormation.calls()).toHaveLength(before)
    },
  )

  it.each([
    [{ target: 'local', stage: 'prod' }, '--stage is an option of --target aws, but this is --target local. Change one of them.'],
    [{ target: 'local', profile: 'p' }, '--profile is an option of --target aws, but this is --target local. Change one of them.'],
    [{ target: 'aws', data: 'x' }, '--data is an option of --target local, but this is --target aws. Change one of them.'],
  ] as const)('the target of an ops command is refused with an option of the other target: %j', async (contrary, message) => {
    await expect(openTarget(contrary, {})).rejects.toThrow(new OpsMistake(message))
  })

  it('the target of an ops command is refused when no region is set', async () => {
    cloudFormation.on(DescribeStacksCommand).rejects(new Error('Region is missing'))
    const said: string[] = []
    const surroundings = { environment: {}, print: () => undefined, note: (text: string) => said.push(text) }
    expect(await runOps(['get', '--target', 'aws'], surroundings)).toBe(1)
    expect(said).toEqual(['No region is set. Set it with --region, in the profile, or in AWS_REGION.\n'])
  })

  it('the target of an ops command is refused when the stage has no stacks', async () => {
    cloudFormation.on(DescribeStacksCommand).resolves({ Stacks: [] })
    await expect(openTarget(target, {})).rejects.toThrow('No stack of the stage prod has the outputs that this tool needs')
  })
})
