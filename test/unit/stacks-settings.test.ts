import { describe, expect, it } from '@jest/globals'
import { RootConstruct } from 'constructs'
import { settingsOf } from '#lib/settings.ts'

/** Uses no App, because each App creates a folder for its templates, even when it writes none. */
const read = (context: Record<string, unknown>) => {
  const root = new RootConstruct()
  for (const [name, value] of Object.entries(context)) root.node.setContext(name, value)
  return settingsOf(root)
}

describe('settings of a deployment', () => {
  it('the settings of a deployment have defaults', () => {
    expect(read({})).toEqual({
      stage: 'prod',
      defaultTimezone: 'America/New_York',
      defaultWindow: '14:00-20:00',
      revokeAllFrom: '2027-01-31',
      outputTimezone: 'UTC',
      ipDatabase: '',
      privateAgentHosts: '',
      privateWebhookHosts: '',
      connectInstances: [],
      logRetentionDays: 30,
      alarmTopicArn: '',
      requestsPerSecond: 500,
      requestBurst: 1000,
      domainName: '',
      certificateArn: '',
      closeGivenAddress: false,
      firewallRequests: 0,
      tags: {},
      gatewayLogRole: true,
      callConcurrency: 50,
      reservedConcurrency: 0,
      deliveryConcurrency: 50,
      slowDeliveryConcurrency: 20,
      fileConcurrency: 10,
      fileRowsPerSecond: 2000,
      warmReadUnits: 12_000,
      warmWriteUnits: 4000,
      bundles: 'dist/functions',
    })
  })

  it('the settings of a deployment are parsed from the command line, and flags of the CDK are ignored', () => {
    expect(
      read({ stage: 'test-2', logRetentionDays: '14', callConcurrency: 7, gatewayLogRole: 'false', '@aws-cdk/core:x': true }),
    ).toMatchObject({
      stage: 'test-2',
      logRetentionDays: 14,
      callConcurrency: 7,
      gatewayLogRole: false,
    })
  })

  it('the settings of a deployment accept host names and addresses, with and without a port', () => {
    const privateAgentHosts = 'agent.internal,agent.internal:80,10.0.0.7:8443,[fd00::1],[fd00::1]:8443'
    expect(read({ privateAgentHosts }).privateAgentHosts).toBe(privateAgentHosts)
  })

  it('the settings of a deployment read the instances of Amazon Connect as a list', () => {
    const arns = ['one', 'two'].map((id) => `arn:aws:connect:us-east-1:111122223333:instance/${id}`)
    expect(read({ connectInstances: arns.join(',') }).connectInstances).toEqual(arns)
  })

  it('the settings of a deployment read tags as pairs of names and values', () => {
    expect(read({ tags: 'team=sales,cost-center=42,note=' }).tags).toEqual({ team: 'sales', 'cost-center': '42', note: '' })
  })

  it.each([
    [{ privateAgentHosts: 'https://agent.internal' }, /privateAgentHosts must be hosts as URLs spell them/],
    [{ privateWebhookHosts: 'a.internal,B.internal' }, /privateWebhookHosts must be hosts as URLs spell them/],
    [{ privateWebhookHosts: 'a.internal:99999' }, /privateWebhookHosts must be hosts as URLs spell them/],
    [
      { privateHosts: 'agent.internal' },
      /privateHosts is now two settings: privateAgentHosts for voice agents and calendars, privateWebhookHosts for webhooks/,
    ],
    [{ domainName: 'https://api.example.com' }, /domainName must be a host name/],
    [{ domainName: 'api.example.com' }, /domainName and certificateArn are set together or not at all/],
    [{ closeGivenAddress: 'true' }, /closeGivenAddress needs domainName, which is not set/],
    [{ connectInstances: '10a4c4eb' }, /connectInstances must be ARNs of instances of Amazon Connect/],
    [{ connectInstances: 'arn:aws:connect:us-east-1:111122223333:instance/*' }, /connectInstances must be ARNs/],
    [{ alarmTopicArn: 'my-topic' }, /alarmTopicArn must be the ARN of an SNS topic/],
    [{ alarmTopicArn: 'arn:aws:sqs:eu-west-1:111122223333:alarms' }, /alarmTopicArn must be the ARN of an SNS topic/],
    [{ certificateArn: 'my certificate' }, /certificateArn must be the ARN of a certificate/],
    [{ firewallRequests: '5' }, /firewallRequests must be 0, or at least 100/],
    [{ outputTimezone: 'Mars/Olympus' }, /outputTimezone must be an IANA time zone/],
    [{ reservedConcurrency: '20' }, /reservedConcurrency must be 0, or at least callConcurrency \(50\)/],
    [{ tags: 'team' }, /tags must be pairs such as team=sales/],
    [{ tags: 'team=sales,stage=other' }, /tags may not set service, stage, part/],
    [{ stage: 'Prod' }, /stage must be 1 to 20/],
    [{ defaultTimezone: 'New York' }, /defaultTimezone must be an IANA time zone/],
    [{ defaultWindow: '20:00-14:00' }, /defaultWindow must be two times of a day, the earlier first/],
    [{ revokeAllFrom: '2027-02-30' }, /revokeAllFrom must be a day such as 2027-01-31, or empty/],
    [{ defaultWindow: '9-17' }, /defaultWindow must be two times/],
    [{ logRetentionDays: '31' }, /logRetentionDays must be one of 1, 3, 5/],
    [{ logRetentionDays: 'long' }, /logRetentionDays must be a whole number/],
    [{ callConcurrency: 1 }, /callConcurrency must be at least 2/],
    // One user gets eight places, and others need one too.
    [{ fileConcurrency: 8 }, /fileConcurrency must be at least 9/],
    [{ fileConcurrency: 500, fileRowsPerSecond: 2000 }, /fileRowsPerSecond must be at least 5 for each of fileConcurrency \(500\)/],
    [{ gatewayLogRole: 'no' }, /gatewayLogRole must be true or false/],
    [{ stgae: 'prod' }, /stgae is unknown \(known are stage, /],
    [{ stage: '', callConcurrency: 5000 }, /stage must be.*; callConcurrency must be at most 1000\.$/],
  ])('the settings of a deployment refuse %j with a sentence', (context, sentence) => {
    expect(() => read(context)).toThrow(sentence)
  })
})
