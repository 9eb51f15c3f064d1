import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { cleanUpEach } from '#test/support/clean-up.ts'
import { npmRun } from '#test/support/npm.ts'

const { directory } = cleanUpEach('prepare')
const scripts: Record<string, string> = JSON.parse(readFileSync('package.json', 'utf8')).scripts
const others = Object.keys(scripts).filter((name) => !/^(pre)?(start|test)$/.test(name))

let folder = ''
beforeEach(() => {
  folder = directory()
  cpSync('bin', join(folder, 'bin'), { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) cpSync(file, join(folder, file))
})

describe('the preparation of npm start and npm test', () => {
  /** Runs the preparation with a fake npm, which only records that it was asked to install. */
  const prepare = (): { isInstalled: boolean } => {
    const tools = join(folder, 'tools')
    mkdirSync(tools)
    writeFileSync(join(tools, 'npm'), '#!/bin/sh\nmkdir -p node_modules && touch installed node_modules/.package-lock.json\n')
    chmodSync(join(tools, 'npm'), 0o755)
    const PATH = [tools, dirname(process.execPath), process.env['PATH']].join(delimiter)
    execFileSync('sh', ['bin/prepare'], { cwd: folder, env: { ...process.env, PATH } })
    return { isInstalled: existsSync(join(folder, 'installed')) }
  }

  it('runs before both', () => {
    expect([scripts['prestart'], scripts['pretest']]).toEqual(['sh bin/prepare', 'sh bin/prepare'])
  })

  it('installs the packages on a fresh clone', () => expect(prepare()).toEqual({ isInstalled: true }))

  it('installs nothing when node_modules is a link', () => {
    mkdirSync(join(folder, 'theirs'))
    writeFileSync(join(folder, 'theirs', '.package-lock.json'), '{}')
    symlinkSync('theirs', join(folder, 'node_modules'))
    expect(prepare()).toEqual({ isInstalled: false })
  })
})

describe('a script on a fresh clone', () => {
  it.each(['ops', 'lint', 'check'])('asks for npm ci and exits with 1: npm run %s', async (name) => {
    const refused = { code: 1, out: '', err: 'The packages are not installed: run npm ci first.\n' }
    expect(await npmRun(folder, ['-s', 'run', name, '--', 'get', 'users'], { cwd: folder })).toEqual(refused)
  })

  it.each(others)('checks first whether the packages are installed: %s', (name) => {
    expect(scripts[name]).toMatch(/^node bin\/ready\.cjs && /)
  })
})
