import * as v from 'valibot'
import { toolProcess } from '#test/support/ops-process.ts'

const Measured = v.object({ mib: v.number(), reads: v.number(), writes: v.number() })

/** Runs the operator's tool as a process of its own. @returns its output, its peak memory in MiB, and the units that it used */
export const measuredOps = async (args: readonly string[]) => {
  const preload = new URL('print-memory.ts', import.meta.url).href
  const { code, out, err } = await toolProcess(args, { ...process.env, NODE_OPTIONS: `--import=${preload}` })
  const [, measured] = /^MEASURED (.*)$/m.exec(err) ?? []
  if (measured === undefined || out === '') throw new Error(`The command ${args[0]} ended with ${code}: ${err.slice(-2000)}`)
  return { code, out, ...v.parse(Measured, JSON.parse(measured)) }
}
