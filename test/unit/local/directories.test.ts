import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it } from '@jest/globals'
import { takeDataDirectory, takeTemporaryDirectory } from '#lib/local/engines/data-directory.ts'
import { nameOfProcess } from '#lib/local/processes/process-name.ts'
import { cleanUpEach } from '#test/support/clean-up.ts'

const TAKE = new URL('../../../lib/local/engines/data-directory.ts', import.meta.url).href

const { directory, cleanUp } = cleanUpEach('directories')

const sleeper = () => {
  const child = spawn('sleep', ['60'])
  cleanUp(() => child.kill('SIGKILL'))
  return child
}

const claim = (name: string): string => join(directory(), `service-${name}.lock`)

/** Starts a process that takes the directory, prints whether it succeeded, and holds the directory until it is killed. */
const taker = async (): Promise<string> => {
  const program = `
    const { takeDataDirectory } = await import(${JSON.stringify(TAKE)})
    await takeDataDirectory(${JSON.stringify(directory())}).then(() => console.log('held'), (error) => console.log(error.message))
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  cleanUp(() => child.kill('SIGKILL'))
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  return String(line)
}

describe('the data directory', () => {
  it('the data directory serves one service at a time, and another one after that has ended', async () => {
    const holder = sleeper()
    writeFileSync(claim(nameOfProcess(holder.pid!)), '')
    await expect(takeDataDirectory(directory())).rejects.toThrow(
      `Another service (process ${holder.pid}) already runs on the data directory ${directory()}; stop it, or name another directory with --data.`,
    )
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    const taken = await takeDataDirectory(directory())
    expect(taken.path).toBe(directory())
    expect(readdirSync(directory())).toEqual([`service-${nameOfProcess(process.pid)}.lock`])
    taken.release()
    expect(readdirSync(directory())).toEqual([])
  })

  it('the data directory goes to one of many services that start at once, despite the lock of a dead one', async () => {
    writeFileSync(claim('4194303-1'), '')
    const said = await Promise.all(Array.from({ length: 6 }, taker))
    expect(said.filter((line) => line === 'held')).toHaveLength(1)
    expect(said.filter((line) => line.startsWith('Another service'))).toHaveLength(5)
  })

  it('the data directory is readable only by its owner', async () => {
    const { path } = await takeDataDirectory(join(directory(), 'made', 'here'))
    expect(statSync(path).mode & 0o077).toBe(0)
  })

  it('a temporary data directory is locked too', async () => {
    const { path } = await takeTemporaryDirectory(directory())
    expect(readdirSync(path)).toEqual([`service-${nameOfProcess(process.pid)}.lock`])
  })

  it('the data directory is created with its parents', async () => {
    const path = join(directory(), 'a', 'b')
    expect(await takeDataDirectory(path)).toMatchObject({ path })
  })

  it('the data directory is not blocked by a process that has the id of a dead service', async () => {
    writeFileSync(claim(`${process.ppid}-1`), '')
    await expect(takeDataDirectory(directory())).resolves.toMatchObject({ path: directory() })
  })

  it('the data directory must be writable', async () => {
    writeFileSync(join(directory(), 'file'), '')
    await expect(takeDataDirectory(join(directory(), 'file', 'data'))).rejects.toThrow(/cannot be written \(ENOTDIR\)/)
    await expect(takeDataDirectory(join(directory(), 'file'))).rejects.toThrow(/cannot be written/)
    await expect(takeDataDirectory('/proc/data/here')).rejects.toThrow(/cannot be written/)
  })
})

describe('a temporary directory', () => {
  it('a temporary directory is removed on release, and the next start removes those of dead services', async () => {
    const living = sleeper()
    const names = ['4194303-1', nameOfProcess(living.pid!)].map((name) => join(directory(), `lead-outreach-${hostname()}-${name}-aB3xYz`))
    for (const name of names) mkdirSync(join(name, 's3'), { recursive: true })
    mkdirSync(join(directory(), 'lead-outreach-elsewhere-4194303-1-aB3xYz'))

    const taken = await takeTemporaryDirectory(directory())
    expect(names.map((name) => existsSync(name))).toEqual([false, true])
    expect(readdirSync(directory())).toHaveLength(3)
    await taken.release()
    expect(existsSync(taken.path)).toBe(false)
  })
})
