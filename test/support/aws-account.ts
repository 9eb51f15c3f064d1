import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { toolProcess } from './ops-process.ts'
import { type ReceiverAnswer, startReceiver } from './receiver.ts'

/** A quota as AWS's Service Quotas lists it. */
interface Listed {
  readonly QuotaCode: string
  readonly Value?: number
  readonly ErrorReason?: { readonly ErrorCode: string; readonly ErrorMessage: string }
}

/** Quotas by the code of their service. */
type Lists = Readonly<Record<string, readonly Listed[]>>

/** AWS's published values in us-east-1, except Lambda's, which is that of a new account. */
export const PUBLISHED: Lists = {
  lambda: [{ QuotaCode: 'L-B99A9384', Value: 10 }],
  apigateway: [{ QuotaCode: 'L-8A5B8E43', Value: 10_000 }],
  dynamodb: [
    { QuotaCode: 'L-CF0CBE56', Value: 40_000 },
    { QuotaCode: 'L-AB614373', Value: 40_000 },
  ],
  events: [
    { QuotaCode: 'L-9B653E91', Value: 10_000 },
    { QuotaCode: 'L-5540C5E3', Value: 18_750 },
  ],
  kms: [{ QuotaCode: 'L-6E3AF000', Value: 100_000 }],
}

interface Account {
  /** The account's own values. Default: none, as for quotas that nobody has changed. */
  readonly applied?: Lists
  /** The default values of AWS. */
  readonly published?: Lists
  /** Most quotas of a page. */
  readonly page?: number
  /** Fails a request; undefined: answers it. `count`: its number, from 1. */
  readonly fail?: (operation: string, count: number) => Failure | undefined
}

interface Failure {
  readonly type: string
  readonly message: string
}

const Request = v.object({ ServiceCode: v.string(), NextToken: v.optional(v.string(), '0') })

const answer = (body: unknown, status = 200): ReceiverAnswer => ({
  status,
  headers: { 'Content-Type': 'application/x-amz-json-1.1' },
  body: JSON.stringify(body),
})

/**
 * Service Quotas of an account, as AWS documents its protocol: JSON 1.1, the operation in the header `X-Amz-Target`, `NextToken` for the
 * next page, and the type of an error in `__type`.
 */
export const startAccount = async ({ applied = {}, published = PUBLISHED, page = 100, fail }: Account = {}) => {
  const asked: string[] = []
  const server = await startReceiver({
    respond: ({ headers, body }, count) => {
      const operation = `${headers['x-amz-target']}`.replace('ServiceQuotasV20190624.', '')
      const { ServiceCode, NextToken } = v.parse(v.pipe(v.string(), v.parseJson(), Request), body)
      asked.push(`${operation} ${ServiceCode}`)
      const failure = fail?.(operation, count)
      if (failure) return answer({ __type: failure.type, Message: failure.message }, 400)
      const all = { ListServiceQuotas: applied, ListAWSDefaultServiceQuotas: published }[operation]?.[ServiceCode] ?? []
      const from = Number(NextToken)
      return answer({ Quotas: all.slice(from, from + page), ...(all.length > from + page && { NextToken: `${from + page}` }) })
    },
  })
  const home = await mkdtemp(join(tmpdir(), 'home-'))
  /** The operator's environment variables. */
  const environment = {
    PATH: process.env['PATH'],
    HOME: home,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_ENDPOINT_URL_SERVICE_QUOTAS: server.url,
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_REGION: 'us-east-1',
  }
  return {
    /** The requests, in their order. */
    asked,
    /** Runs the tool. @param changes to the environment of the operator; undefined removes a variable */
    ops: (args: readonly string[], changes: NodeJS.ProcessEnv = {}) => toolProcess(args, { ...environment, ...changes }),
    close: async () => {
      await server.close()
      await rm(home, { recursive: true })
    },
  }
}
