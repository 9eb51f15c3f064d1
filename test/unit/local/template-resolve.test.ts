// biome-ignore-all lint/suspicious/noTemplateCurlyInString: CloudFormation writes its substitutions this way

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import type { Endpoints, ServiceTemplate } from '#lib/local/model.ts'
import { readServiceTemplate } from '#lib/local/template/read.ts'

const endpoints: Endpoints = {
  dynamodb: '',
  sqs: 'http://sqs',
  s3: 'http://s3',
  eventbridge: '',
  secretsManager: '',
  kms: '',
  api: 'http://api',
}
const folder = mkdtempSync(join(tmpdir(), 'template-resolve-'))
afterAll(() => rmSync(folder, { recursive: true }))

const read = (stacks: Record<string, object>): ServiceTemplate => {
  const artifacts = Object.keys(stacks).map((name) => [
    name,
    { type: 'aws:cloudformation:stack', properties: { templateFile: `${name}.json` } },
  ])
  for (const [name, template] of Object.entries(stacks)) writeFileSync(join(folder, `${name}.json`), JSON.stringify(template))
  writeFileSync(
    join(folder, 'assets.json'),
    JSON.stringify({
      files: {
        code: { source: { path: 'asset.code', packaging: 'zip' }, destinations: { here: { bucketName: 'b', objectKey: 'code.zip' } } },
      },
    }),
  )
  const assets = { assets: { type: 'cdk:asset-manifest', properties: { file: 'assets.json' } } }
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ artifacts: { ...Object.fromEntries(artifacts), ...assets } }))
  return readServiceTemplate(folder, endpoints)
}

const functionWith = (variables: object) => ({
  Type: 'AWS::Lambda::Function',
  Properties: { Code: { S3Key: 'code.zip' }, Handler: 'index.handler', Environment: { Variables: variables } },
})

/** The value of an expression, as a function of the stack gets it. */
const resolved = (expression: unknown, rest: object = {}, others: Record<string, object> = {}): string | undefined => {
  const { Resources, ...parts } = { Resources: {}, ...rest }
  const stack = { Resources: { ...Resources, Fn: functionWith({ VALUE: expression }) }, ...parts }
  return read({ Main: stack, ...others }).functions.find(({ name }) => name === 'Fn')?.environment['VALUE']
}

const queue = { Resources: { Calls: { Type: 'AWS::SQS::Queue' } } }

describe('an expression of a template', () => {
  it.each([
    ['Ref of a queue', { Ref: 'Calls' }, 'http://sqs/000000000000/Calls'],
    ['GetAtt as a list', { 'Fn::GetAtt': ['Calls', 'Arn'] }, 'arn:aws:sqs:us-east-1:000000000000:Calls'],
    ['GetAtt as a string', { 'Fn::GetAtt': 'Calls.QueueName' }, 'Calls'],
    [
      'pseudo parameters',
      { 'Fn::Sub': '${AWS::Partition} ${AWS::Region} ${AWS::AccountId} ${AWS::StackName}' },
      'aws us-east-1 000000000000 Main',
    ],
    [
      'Sub with names, attributes and literals',
      { 'Fn::Sub': ['${a} ${Calls.QueueName} ${!kept}', { a: { Ref: 'AWS::Region' } }] },
      'us-east-1 Calls ${kept}',
    ],
    ['Join', { 'Fn::Join': ['-', ['a', { Ref: 'AWS::Region' }, 7]] }, 'a-us-east-1-7'],
    ['Select and Split', { 'Fn::Select': ['5', { 'Fn::Split': [':', { 'Fn::GetAtt': ['Calls', 'Arn'] }] }] }, 'Calls'],
    ['a number', 60, '60'],
    ['a removed value', { Ref: 'AWS::NoValue' }, undefined],
  ])('an expression of a template is resolved: %s', (_, expression, expected) => {
    expect(resolved(expression, queue)).toBe(expected)
  })

  it('expressions of a template use the defaults of parameters and follow conditions', () => {
    const parts = {
      Parameters: { Mode: { Default: 'small' } },
      Conditions: {
        Small: { 'Fn::Equals': [{ Ref: 'Mode' }, 'small'] },
        Large: { 'Fn::Not': [{ Condition: 'Small' }] },
        Either: { 'Fn::Or': [{ Condition: 'Small' }, { Condition: 'Large' }] },
        Both: { 'Fn::And': [{ Condition: 'Small' }, { Condition: 'Large' }] },
      },
      Resources: { Never: { Type: 'AWS::SQS::Queue', Condition: 'Both' }, Always: { Type: 'AWS::SQS::Queue', Condition: 'Either' } },
    }
    expect(resolved({ 'Fn::If': ['Large', 'big', { 'Fn::If': ['Small', { Ref: 'Mode' }, 'none'] }] }, parts)).toBe('small')
    expect(read({ Main: parts }).queues.map(({ name }) => name)).toEqual(['Always'])
  })

  it('expressions of a template read exports of other stacks in any order', () => {
    const other = { ...queue, Outputs: { Out: { Value: { Ref: 'Calls' }, Export: { Name: { 'Fn::Sub': '${AWS::StackName}:calls' } } } } }
    expect(resolved({ 'Fn::ImportValue': 'Other:calls' }, {}, { Other: other })).toBe('http://sqs/000000000000/Calls')
  })

  it("the API's invoke URL is replaced anywhere in a string of a template", () => {
    const parts = {
      Resources: { Api: { Type: 'AWS::ApiGateway::RestApi' }, Stage: { Type: 'AWS::ApiGateway::Stage', Properties: { StageName: 'v1' } } },
    }
    const url = 'https://${Api}.execute-api.${AWS::Region}.${AWS::URLSuffix}/${Stage}'
    expect(resolved({ 'Fn::Sub': url }, parts)).toBe('http://api')
    expect(resolved({ 'Fn::Sub': `see ${url}/api/x/` }, parts)).toBe('see http://api/api/x/')
  })

  it('the origin of a bucket is replaced by the local one', () => {
    const parts = { Resources: { Files: { Type: 'AWS::S3::Bucket' } } }
    expect(resolved({ 'Fn::Sub': 'https://${Files.RegionalDomainName}' }, parts)).toBe('http://s3')
  })

  it.each([
    ['an unknown function', { 'Fn::FindInMap': ['a', 'b', 'c'] }, 'the function Fn::FindInMap is not supported'],
    ['an unknown attribute', { 'Fn::GetAtt': ['Calls', 'Colour'] }, 'the attribute of Fn::GetAtt Calls.Colour is not supported'],
    ['a missing resource', { Ref: 'Gone' }, 'Ref Gone names something that is not in the template'],
    ['an unknown type', { Ref: 'Fleet' }, 'Ref Fleet points at a AWS::EC2::Fleet, whose references are not supported'],
    ['a parameter without a value', { Ref: 'Open' }, 'the parameter Open has no default'],
    ['a missing export', { 'Fn::ImportValue': 'nowhere' }, 'no stack exports nowhere'],
  ])('an unsupported expression of a template is refused with its resource and stack: %s', (_, expression, problem) => {
    const parts = { Parameters: { Open: {} }, Resources: { ...queue.Resources, Fleet: { Type: 'AWS::EC2::Fleet' } } }
    expect(() => resolved(expression, parts)).toThrow(`Resource Fn of stack Main cannot run locally: ${problem}.`)
  })
})

describe('a resource of a template', () => {
  it('a resource of a template is named by it, or by its logical id, with the stack when two stacks share it', () => {
    const named = { Type: 'AWS::SQS::Queue', Properties: { QueueName: { 'Fn::Sub': '${AWS::StackName}-calls' } } }
    const one = {
      Resources: { Named: named, Shared: { Type: 'AWS::SQS::Queue' }, Fifo: { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: true } } },
    }
    const two = { Resources: { Shared: { Type: 'AWS::SQS::Queue' }, Up: { Type: 'AWS::S3::Bucket' } } }
    const template = read({ One: one, Two: two })
    expect(template.queues.map(({ name }) => name)).toEqual(['One-calls', 'One-Shared', 'Fifo.fifo', 'Two-Shared'])
    expect(template.buckets.map(({ name }) => name)).toEqual(['up0'])
  })

  it.each([
    [
      'an unreadable property',
      { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: ['x'] } },
      'Properties.VisibilityTimeout is not understood',
    ],
    ['inline code', { Type: 'AWS::Lambda::Function', Properties: { Code: { ZipFile: '' }, Handler: 'h' } }, 'its code is not a folder'],
    ['a nested stack', { Type: 'AWS::CloudFormation::Stack' }, 'nested stacks are not read'],
    [
      'a secret that is not generated',
      { Type: 'AWS::SecretsManager::Secret', Properties: { SecretString: 'x' } },
      'only secrets generated',
    ],
    [
      'a constant input',
      { Type: 'AWS::Events::Rule', Properties: { ScheduleExpression: 'rate(1 minute)', Targets: [{ Arn: 'a', Input: '{}' }] } },
      'a target gets the event or a part of it',
    ],
  ])('an unsupported resource of a template is refused with its stack: %s', (_, resource, problem) => {
    expect(() => read({ Main: { Resources: { Odd: resource } } })).toThrow(`Resource Odd of stack Main cannot run locally: ${problem}`)
  })

  it('a missing template causes an error that names the file', () => {
    expect(() => readServiceTemplate(join(folder, 'nowhere'), endpoints)).toThrow('nowhere/manifest.json')
  })
})
