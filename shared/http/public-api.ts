import middy from '@middy/core'
import type { APIGatewayProxyResult } from 'aws-lambda'
import type { ApiHandler } from './api.ts'
import { proxyResult, type Reply } from './reply.ts'
import { errorReplies } from './steps/error-replies.ts'
import { type Incoming, readIncoming } from './steps/incoming.ts'
import { requestLog } from './steps/request-log.ts'

/** A function that answers everybody without the table, so its bundle contains no table code. */
export const publicApi = (handle: (request: Incoming) => Promise<Reply>): ApiHandler =>
  middy<unknown, APIGatewayProxyResult>(async (event: unknown) => proxyResult(await handle(readIncoming(event))))
    .use(requestLog())
    .use(errorReplies())
