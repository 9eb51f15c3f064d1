import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { behaviourOf } from '#lib/local/voice-agent/behaviours.ts'
import { type Service, startService, until } from '#test/support/service.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const LEADS = 40
/** Fewer than the sandboxes that handle reports. */
const MOST_REPORTS_AT_ONCE = 6

let service: Service
let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'upload-storm-'))
  // 11:00 on a Friday in New York, so every lead is called at once.
  service = await startService(['--memory', '--port', '0', '--now', '2026-11-20T16:00:00Z'])
})
afterAll(async () => {
  await service?.end()
  await rm(directory, { recursive: true, force: true })
})

const upload = async (): Promise<{ rows: number; created: number }> => {
  const file = join(directory, 'leads.csv')
  const rows = Array.from({ length: LEADS }, (_, place) => `L-${place},+1212555${4000 + place},NY`)
  await writeFile(file, ['Lead ID,Phone,State', ...rows].join('\n'))
  const environment = { ...process.env, LEAD_OUTREACH_URL: service.url, LEAD_OUTREACH_API_KEY: service.apiKey }
  const args = ['bin/upload.ts', file, '--source', service.uploadSource, '--json']
  const child = spawn(process.execPath, args, { cwd: ROOT, env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
  const [out] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return JSON.parse(out)
}

it('during an upload in calling hours, the agent sends each report once, and lists of leads are still answered', async () => {
  const uploading = upload()
  const pages: number[] = []
  const reported = await until(
    async () => {
      pages.push((await service.call('GET', '/api/leads/?page_size=20')).status)
      return service.dials()
    },
    ({ calls, reports }) => calls.length === LEADS && reports.pending === 0,
  )
  expect(await uploading).toMatchObject({ rows: LEADS, created: LEADS })
  expect(new Set(pages)).toEqual(new Set([200]))
  expect(Object.values(reported.by_phone)).toEqual(Array(LEADS).fill(1))
  const due = reported.calls.reduce((sum, { phone }) => sum + behaviourOf(phone).steps.length, 0)
  expect(reported.reports).toEqual({ sent: due, pending: 0, most_at_once: expect.any(Number) })
  expect(reported.reports.most_at_once).toBeLessThanOrEqual(MOST_REPORTS_AT_ONCE)
})
