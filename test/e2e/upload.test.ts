import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { helped } from '#test/support/helped.ts'
import { type Service, startService } from '#test/support/service.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const HEADER = 'Lead ID,First Name,Last Name,Phone,Email,State,Zip,Source'

let service: Service
let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'upload-'))
  service = await startService(['--memory', '--port', '0', '--now', '2026-11-20T03:00:00Z'])
})
afterAll(async () => {
  await service?.end()
  await rm(directory, { recursive: true, force: true })
})

/** Runs the upload command on a file. @returns its exit code and output */
const upload = async (name: string, content: string | Uint8Array, ...flags: readonly string[]) => {
  const file = join(directory, name)
  await writeFile(file, content)
  const environment = { ...process.env, LEAD_OUTREACH_URL: service.url, LEAD_OUTREACH_API_KEY: service.apiKey }
  const args = ['bin/upload.ts', file, '--source', service.uploadSource, ...flags]
  const child = spawn(process.execPath, args, { cwd: ROOT, env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code, out, err }
}

/** A file of two good rows, a bad one and a repeated one. Each area code gives new leads. */
const fileOf = (areaCode: number): string => {
  const ann = `${areaCode}-1,Ann,Lee,(${areaCode}) 555-0001,ann@example.com,NY,10001,web`
  const bob = `"${areaCode}-2",Bob,"Of two\nlines",+1${areaCode}5550002,,ca,,`
  return [HEADER, ann, bob, `${areaCode}-3,Eve,,12,eve@example.com,ZZ,,`, ann].join('\n')
}

it('the upload command tells in a dry run what would happen, and creates nothing', async () => {
  const { code, out } = await upload('dry.csv', fileOf(305).replace(HEADER, HEADER.toUpperCase().replaceAll(' ', '_')), '--dry-run')
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/dry\.csv to demo: dry run done in [\d.]+ s, no lead was written/) })
  expect(out).toMatch(/created +2\n +updated +0\n +unchanged +1\n +rejected +1\n +rows +4\n/)
  expect(out).toContain('  line 3: created\n  line 5: rejected, Phone "12": The phone number entered is not valid. ')
  const { body } = await service.call('GET', '/api/leads/?external_id=305-2')
  expect(body['results']).toEqual([])
})

it('the upload command creates leads from a file and prints the result of its rows', async () => {
  const { code, out } = await upload('leads (1).csv', fileOf(212))
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/leads _1_\.csv to demo: done in [\d.]+ s/) })
  expect(out).toMatch(/created +2\n +updated +0\n +unchanged +1\n +rejected +1\n +rows +4\n/)

  const { body } = await service.call('GET', '/api/leads/?external_id=212-2')
  expect(body['results']).toEqual([
    expect.objectContaining({
      phone_number: '+12125550002',
      us_state: 'CA',
      metadata: expect.objectContaining({ first_name: 'Bob', last_name: 'Of two\nlines' }),
    }),
  ])

  const [url = ''] = /http:\S+/.exec(out) ?? []
  const rejected = await fetch(url)
  expect(rejected.headers.get('content-disposition')).toContain('leads _1_-rejected.csv')
  expect((await rejected.text()).split('\r\n')).toEqual([
    'line,column,value,message',
    helped('5,Phone,12,"The phone number entered is not valid. …"'),
    helped('5,State,ZZ,"""ZZ"" is not a valid choice. …"'),
    '',
  ])
})

it('the upload command changes nothing when the same file is sent again', async () => {
  await upload('leads.csv', fileOf(312))
  const { code, out, err } = await upload('again.csv', fileOf(312), '--json')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(JSON.parse(out)).toMatchObject({ status: 'done', rows: 4, created: 0, updated: 0, unchanged: 3, rejected: 1 })
})

it('the upload command refuses a UTF-16 file with a sentence', async () => {
  const { code, out } = await upload('leads.csv', Buffer.from(`${HEADER}\n`, 'utf16le'))
  expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('The file is text in UTF-16') })
})

it('the upload command refuses an empty file with "The file is empty."', async () => {
  const { code, out } = await upload('empty.csv', '')
  expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('The file is empty.') })
})
