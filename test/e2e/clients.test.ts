import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import document from '#functions/docs/openapi.json' with { type: 'json' }
import { PROJECT } from '#test/support/guides.ts'
import { type HttpFileAnswer, sendHttpFile } from '#test/support/http-file.ts'
import { documented } from '#test/support/openapi/documented.ts'
import { type Receiver, startReceiver } from '#test/support/receiver.ts'
import { type Service, startService } from '#test/support/service.ts'

let service: Service
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
  // Night in New York: the leads of the tests are not called.
  service = await startService(['--memory', '--port', '0', '--now', '2026-11-20T05:00:00Z'])
})
afterAll(async () => {
  await service?.end()
  await receiver?.close()
})

describe('the file of requests', () => {
  const text = readFileSync(join(PROJECT, 'docs/reference/requests.http'), 'utf8')
  const operations = documented(document).filter(({ security }) => security !== 'agent')
  let answers: HttpFileAnswer[]
  beforeAll(async () => {
    answers = await sendHttpFile(text, {
      url: service.url,
      key: service.apiKey,
      ingestion_id: service.ingestId,
      hook_url: `${receiver.url}/hook`,
    })
  })

  it('has one request for each operation, except those of voice agents', () => {
    expect(answers.map(({ name }) => name).toSorted()).toEqual(operations.map(({ operation }) => operation.operationId).toSorted())
  })

  it('succeeds with each request, except that no call is in progress', () => {
    const failed = answers.filter(({ status }) => status >= 300).map(({ name, status, answer }) => ({ name, status, answer }))
    expect(failed).toEqual([{ name: 'callsLive', status: 404, answer: expect.stringContaining('detail') }])
  })

  it('gets only answers that the document describes', () => {
    const described = new Map(operations.map(({ operation }) => [operation.operationId, Object.keys(operation.responses)]))
    expect(answers.filter(({ name, status }) => !described.get(name)?.includes(`${status}`))).toEqual([])
  })
})
