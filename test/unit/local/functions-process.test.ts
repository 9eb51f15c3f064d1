import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { StartFailure } from '#lib/local/engines/engine.ts'
import { startFunctions } from '#lib/local/functions/start-functions.ts'
import type { InvokeResult } from '#lib/local/model.ts'
import { eventually } from '#test/support/eventually.ts'
import { type SampleFunction, startSampleFunctions } from '#test/support/sample-functions.ts'

let running: Awaited<ReturnType<typeof startSampleFunctions>>
beforeAll(async () => {
  running = await startSampleFunctions()
})
afterAll(() => running?.stop())

const invoke = (name: SampleFunction, event: unknown = {}) => running.invoke(name, event)

describe("the functions' process", () => {
  it("the functions' process restarts after it dies: running events crash, and new events wait", async () => {
    const before = running.functions.pid()
    const { arrive, arrived } = running.meetingOf(3)
    const underway = [arrive('one'), arrive('two')]
    await eventually(() => arrived() === 2)
    process.kill(before, 'SIGKILL')
    expect(await Promise.all(underway)).toEqual(Array(2).fill({ ok: false, errorType: 'Crashed', message: "the functions' process died" }))
    expect(await invoke('other')).toMatchObject({ ok: true })
    expect(running.functions.pid()).not.toBe(before)
    expect(readFileSync(join(running.directory, 'functions.pid'), 'utf8')).toBe(`${running.functions.pid()}\n`)
  })

  it("the functions' process answers every event, even when it dies often", async () => {
    const results: InvokeResult[] = []
    const ask = async () => results.push(await invoke('marking'))
    for (let kill = 0; kill < 8; kill++) {
      const asked = Promise.all(Array.from({ length: 25 }, ask))
      const before = results.length
      // Each kill comes at another moment: before the first answer, after it, after the second …
      await eventually(() => results.length >= before + kill && runs(running.functions.pid()))
      process.kill(running.functions.pid(), 'SIGKILL')
      await asked
    }
    for (const result of results) expect(result.ok || result.errorType === 'Crashed').toBe(true)
    expect(results).toHaveLength(200)
    await eventually(async () => (await invoke('marking')).ok)
  })

  it("a functions' process that cannot be started says so in one sentence", async () => {
    const pidFile = join(running.directory, 'never.pid')
    const start = startFunctions(running.specs, { log: () => {}, node: join(running.directory, 'no-node'), pidFile })
    await expect(start).rejects.toThrow(StartFailure)
    await expect(start).rejects.toThrow(/^The functions' process cannot be started: spawn .*no-node ENOENT\.$/)
    expect(existsSync(pidFile)).toBe(false)
  })

  it("a functions' process that always ends before it is ready says so in one sentence", async () => {
    const start = startFunctions(running.specs, { log: () => {}, node: '/bin/false' })
    await expect(start).rejects.toThrow(
      new StartFailure("The functions' process cannot be started: the process ended (1) before it was ready."),
    )
  })

  it("the functions' process is started again as soon as that is possible", async () => {
    const node = join(running.directory, 'node')
    const pidFile = join(running.directory, 'mortal.pid')
    symlinkSync(process.execPath, node)
    const lines: string[] = []
    const mortal = await startFunctions(running.specs, { log: (line) => lines.push(line), node, pidFile })
    try {
      const before = mortal.pid()
      rmSync(node)
      process.kill(before, 'SIGKILL')
      const waiting = mortal.invoke('other', {})
      await eventually(() => lines.filter((line) => line.includes('ENOENT')).length > 1)
      expect(readFileSync(pidFile, 'utf8')).toBe(`${before}\n`)
      symlinkSync(process.execPath, node)
      const crashed = await waiting
      expect(crashed.ok || crashed.errorType === 'Crashed').toBe(true)
      expect(await mortal.invoke('other', {})).toMatchObject({ ok: true })
      expect(readFileSync(pidFile, 'utf8')).toBe(`${mortal.pid()}\n`)
      expect(mortal.pid()).not.toBe(before)
    } finally {
      await mortal.stop()
    }
  })

  it("the functions' process dies with the process that started it", async () => {
    const program = `
      const { startFunctions } = await import(${JSON.stringify(new URL('../../../lib/local/functions/start-functions.ts', import.meta.url).href)})
      const functions = await startFunctions(${JSON.stringify(running.specs)}, { log() {} })
      functions.invoke('endless', { ever: true })
      console.log(functions.pid())`
    const owner = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [pid] = await once(createInterface({ input: owner.stdout }), 'line')
    owner.kill('SIGKILL')
    await eventually(() => !runs(Number(pid)))
  })
})

/** Whether a process runs. A zombie does not. */
const runs = (pid: number): boolean => {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
