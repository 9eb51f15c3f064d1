import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from '@jest/globals'
import { fakeUploads, UPLOAD_ID } from '#test/support/fake-uploads.ts'

const { fake } = fakeUploads()

it.each([
  ['SIGINT', 130],
  ['SIGHUP', 129],
  ['SIGTERM', 143],
] as const)('an upload that %s stops while it sends tells that nothing is processed', async (signal, code) => {
  fake.server.removeAllListeners('request')
  // The bucket never answers.
  const isPut = new Promise<void>((resolve) => {
    fake.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (request.method === 'POST') response.end(JSON.stringify({ signed_url: `${fake.url}/bucket`, upload_id: UPLOAD_ID }))
      else resolve()
    })
  })
  const child = spawn(process.execPath, ['--no-warnings', 'bin/upload.ts', fake.file, '--source', 'demo', '--url', `${fake.url}/api/`], {
    cwd: join(import.meta.dirname, '../../..'),
    env: { ...process.env, LEAD_OUTREACH_API_KEY: 'key' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const err = text(child.stderr)
  await isPut
  child.kill(signal)
  const [[exitCode], said] = await Promise.all([once(child, 'exit'), err])
  expect(exitCode).toBe(code)
  expect(said).toMatch(/^The address of a service does not include \/api\. Using http:/)
  expect(said).toContain(`This is upload ${UPLOAD_ID}.\n`)
  expect(said).toMatch(/Stopped\. The file was not sent to its end, so nothing is processed\. Send it again\.\n$/)
})
