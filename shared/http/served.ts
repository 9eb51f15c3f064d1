import middy from '@middy/core'
import type { APIGatewayProxyResult, Context } from 'aws-lambda'
import { proxyResult, type Reply } from './reply.ts'
import { errorReplies } from './steps/error-replies.ts'
import { type Incoming, readIncoming } from './steps/incoming.ts'
import { requestLog } from './steps/request-log.ts'
import { revalidated } from './steps/revalidation.ts'

export type ApiHandler = (event: unknown, context: Context) => Promise<APIGatewayProxyResult>

/**
 * A function behind API Gateway: every answer and error goes through the same steps. It uses no table, so the bundles of pages contain no
 * table code.
 */
export const served = (answer: (incoming: Incoming) => Promise<Reply>): ApiHandler =>
  middy<unknown, APIGatewayProxyResult>(async (event: unknown) => {
    const incoming = readIncoming(event)
    return revalidated(incoming, proxyResult(await answer(incoming)))
  })
    .use(requestLog())
    .use(errorReplies())
