import * as v from 'valibot'
import type { Advice, Ask, CallerNumber, Connection, PlatformAnswer } from '../adapter.ts'
import { ANALYSIS_PROMPT } from '../analysis.ts'
import { ifPresent, readPlatformAnswer } from '../read-answer.ts'
import { RESULT_ATTRIBUTES } from './events.ts'
import { connectRequest, instanceOf, regionOf } from './request.ts'

const Instance = v.object({ Instance: v.object({ Arn: ifPresent(v.string()), OutboundCallsEnabled: ifPresent(v.boolean()) }) })
const Flow = v.object({
  ContactFlow: v.object({ State: ifPresent(v.string()), Status: ifPresent(v.string()), Content: ifPresent(v.string()) }),
})
const Numbers = v.object({
  PhoneNumberSummaryList: v.array(v.object({ PhoneNumber: ifPresent(v.string()) })),
  NextToken: ifPresent(v.string()),
})

/** The check runs with the operator's credentials, and calls are placed with those of the service. */
const UNREADABLE: Advice = {
  problem:
    'Your AWS credentials may not read this instance of Amazon Connect. The check needs connect:DescribeInstance, ds:DescribeDirectories, connect:DescribeContactFlow and connect:ListPhoneNumbers.',
}

/** Whether the service may call through an instance is a setting of its deployment. */
const checkPermission = (connection: Connection, arn: string | null): readonly Advice[] => {
  const [region, id] = [regionOf(connection), instanceOf(connection)]
  const { permitted = [] } = connection
  if (permitted.some((one) => one.split(':')[3] === region && one.endsWith(`:instance/${id}`))) return []
  return [
    {
      problem: 'The service may not call through this instance. Add its ARN to the setting connectInstances of the deployment, and deploy.',
      paste: [...permitted, arn ?? `arn:aws:connect:${region}:ACCOUNT:instance/${id}`].join(','),
    },
  ]
}

const failure = (status: number, what: string): Advice => ({
  problem: `Amazon Connect answered ${status} when it was asked for ${what}. Check again later.`,
})

const checkFlow = ({ status, text }: PlatformAnswer, { assistant }: Connection): readonly Advice[] => {
  if (status === 404 || status === 400) {
    return [{ problem: `Amazon Connect has no published flow with the id ${assistant}. Publish the flow, or correct its id.` }]
  }
  const flow = status === 200 ? readPlatformAnswer(Flow, text)?.ContactFlow : undefined
  if (!flow) return [failure(status, 'the flow')]
  const isPublished = flow.Status !== 'SAVED' && flow.State !== 'ARCHIVED'
  const setsOutcome = flow.Content?.includes('call_outcome') ?? true
  const attributes = `${RESULT_ATTRIBUTES.join(', ')} (true or false)`
  return [
    ...(isPublished ? [] : [{ problem: 'The flow is archived, or not published. Publish it.' }]),
    ...(setsOutcome
      ? []
      : [
          {
            problem: `The flow sets no outcome. Let it set the contact attributes ${attributes} before it ends, by these instructions.`,
            paste: ANALYSIS_PROMPT,
          },
        ]),
  ]
}

/** More pages of numbers than an instance can have. */
const MOST_PAGES = 20

const numbersOf = async (ask: Ask, connection: Connection): Promise<readonly (string | null)[] | number> => {
  const found: (string | null)[] = []
  let token: string | null = null
  for (let page = 0; page < MOST_PAGES; page++) {
    const query: URLSearchParams = new URLSearchParams({ maxResults: '1000', ...(token !== null && { nextToken: token }) })
    const { status, text }: PlatformAnswer = await ask(
      connectRequest(connection, 'GET', `/phone-numbers-summary/${encodeURIComponent(instanceOf(connection))}?${query}`),
    )
    const numbers = status === 200 ? readPlatformAnswer(Numbers, text) : undefined
    if (!numbers) return status
    found.push(...numbers.PhoneNumberSummaryList.map(({ PhoneNumber }) => PhoneNumber))
    if (numbers.NextToken === null) return found
    token = numbers.NextToken
  }
  return found
}

const checkNumbers = async (ask: Ask, connection: Connection, from: readonly CallerNumber[]): Promise<readonly Advice[]> => {
  const numbers = await numbersOf(ask, connection)
  if (typeof numbers === 'number') return [numbers === 403 ? UNREADABLE : failure(numbers, 'its phone numbers')]
  return from
    .filter(({ number }) => !numbers.includes(number))
    .map(({ number }) => ({
      problem: `${number} is not a number of this instance. Claim it there, or take it out of the agent's numbers.`,
    }))
}

/** Events come by a rule of EventBridge, which is made with the permission to call. */
export const checkConnect = async (ask: Ask, connection: Connection, from: readonly CallerNumber[]): Promise<readonly Advice[]> => {
  const missing = ['region', 'instance_id'].filter((name) => !connection.settings[name])
  if (missing.length > 0) return missing.map((name) => ({ problem: `The setting ${name} is missing. Add it to the agent's settings.` }))
  const id = encodeURIComponent(instanceOf(connection))
  const { status, text } = await ask(connectRequest(connection, 'GET', `/instance/${id}`))
  if (status === 401 || status === 403) return [UNREADABLE, ...checkPermission(connection, null)]
  if (status === 404 || status === 400) {
    return [{ problem: `There is no instance ${instanceOf(connection)} in ${regionOf(connection)}. Correct instance_id or region.` }]
  }
  const instance = status === 200 ? readPlatformAnswer(Instance, text)?.Instance : undefined
  if (!instance) return [failure(status, 'the instance')]
  const mayCall = instance.OutboundCallsEnabled !== false
  const flow = await ask(connectRequest(connection, 'GET', `/contact-flows/${id}/${encodeURIComponent(connection.assistant)}`))
  const found = [
    ...checkPermission(connection, instance.Arn),
    ...(mayCall ? [] : [{ problem: 'Outbound calls are off in this instance. Turn them on under "Telephony".' }]),
    ...(flow.status === 403 ? [UNREADABLE] : checkFlow(flow, connection)),
    ...(await checkNumbers(ask, connection, from)),
  ]
  // Each missing permission gives the same advice.
  return [...new Set(found)]
}
