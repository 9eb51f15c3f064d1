import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'prepare-'))
  cpSync('bin', join(folder, 'bin'), { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) cpSync(file, join(folder, file))
  mkdirSync(join(folder, 'tools'))
  writeFileSync(join(folder, 'tools', 'npm'), '#!/bin/sh\ntouch installed\n')
  chmodSync(join(folder, 'tools', 'npm'), 0o755)
})
afterEach(() => rmSync(folder, { recursive: true }))

const prepared = (): string[] => {
  const PATH = [join(folder, 'tools'), dirname(process.execPath), process.env['PATH']].join(delimiter)
  execFileSync('sh', ['bin/prepare'], { cwd: folder, env: { ...process.env, PATH } })
  return readdirSync(folder)
}

describe('the preparation of a clone', () => {
  it('installs what is not there', () => expect(prepared()).toContain('installed'))

  it('installs nothing through a link to the packages of somebody else', () => {
    mkdirSync(join(folder, 'theirs'))
    symlinkSync('theirs', join(folder, 'node_modules'))
    expect(prepared()).not.toContain('installed')
  })
})
