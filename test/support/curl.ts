// Replaces curl on machines without it. Supports the guides' options, and exits with 22 for a status of 400 or more.
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string', short: 'd' },
    'fail-with-body': { type: 'boolean' },
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    include: { type: 'boolean', short: 'i' },
    request: { type: 'string', short: 'X' },
    silent: { type: 'boolean', short: 's' },
    'upload-file': { type: 'string', short: 'T' },
  },
})
const { data, 'upload-file': file } = values
const body = file === undefined ? data : await readFile(file)
const method = values.request ?? (file !== undefined ? 'PUT' : data !== undefined ? 'POST' : 'GET')
const headers = values.header.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
const answer = await fetch(positionals[0]!, { method, headers, ...(body !== undefined && { body }) })
if (values.include) {
  const lines = [`HTTP/1.1 ${answer.status} ${answer.statusText}`, ...[...answer.headers].map(([name, value]) => `${name}: ${value}`)]
  process.stdout.write(`${lines.join('\r\n')}\r\n\r\n`)
}
process.stdout.write(await answer.text())
if (answer.status >= 400) process.exitCode = 22
