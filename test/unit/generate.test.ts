import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { writeFiles } from '#lib/generated.ts'
import { cleanUpEach } from '#test/support/clean-up.ts'

const { directory } = cleanUpEach('generate')
/** Stands for the formatter, which npm test does not install. */
const spaced = (_: string, text: string): string => text.replace(/\{(.*):(.*)\}/, '{ $1: $2 }\n')
/** Runs the program itself: npm run generate needs packages that npm test does not install. */
const generate = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/generate.ts', ...args], { encoding: 'utf8' })
  return { code: status, out: stdout, err: stderr }
}

describe('npm run generate', () => {
  it('npm run generate -- --help lists everything that it can generate', () => {
    const { code, out, err } = generate('--help')
    const listed = [...out.matchAll(/^ {2}([a-z-]+) {2,}the /gm)].map(([, name]) => name)
    expect({ code, err, listed }).toEqual({
      code: 0,
      err: '',
      listed: ['calling-rules', 'openapi', 'client', 'references', 'ops-schema', 'alarms', 'permissions', 'location-data'],
    })
  })

  it('npm run generate refuses an unknown name, and suggests the nearest', () => {
    const err = 'There is no generator named opnapi. Did you mean openapi? See --help.\n'
    expect(generate('openapi', 'opnapi')).toEqual({ code: 2, out: '', err })
  })

  it('npm run generate writes formatted files, and reports which have changed', async () => {
    const file = join(directory(), 'a.json')
    const lines: string[] = []
    const write = (text: string) => writeFiles(directory(), { 'a.json': text }, (line) => lines.push(line), spaced)
    writeFileSync(file, '{ "a": 1 }\n')
    await write('{"a":1}')
    await write('{"a":2}')
    await write('{"a":2}')
    expect({ lines, text: readFileSync(file, 'utf8') }).toEqual({
      lines: ['unchanged  a.json', 'written    a.json', 'unchanged  a.json'],
      text: '{ "a": 2 }\n',
    })
  })
})
