import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach } from '@jest/globals'

interface Asked {
  readonly key: string | undefined
  readonly questions: readonly { readonly phone_number: string; readonly date: string }[]
}

interface Reply {
  readonly status: number
  readonly body: unknown
}

const open: (() => void)[] = []
afterEach(() => {
  for (const close of open.splice(0)) close()
})

/** A query service that answers each request as the test says. It stops after the test. */
export const startQueryService = async (reply: (asked: Asked, number: number) => Reply) => {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const { questions } = JSON.parse(await text(request))
    asked.push({ key: request.headers.authorization, questions })
    const { status, body } = reply(asked.at(-1)!, asked.length)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/check`, asked }
}

/** Answers each question in the same way. */
export const saying =
  (answer: string) =>
  ({ questions }: Asked): Reply => ({
    status: 200,
    body: { answers: questions.map((question) => ({ ...question, answer })).toReversed() },
  })
