import { readFileSync } from 'node:fs'
import { systemErrorCode } from '../engines/engine.ts'

/** A process id with the start time of its process: `4711-90210`. The id alone may meanwhile belong to another process. */
export const PROCESS_NAME = String.raw`\d+-[a-z0-9]+`

export const nameOfProcess = (pid: number): string => `${pid}-${startOf(pid)}`

/** Whether the process with this name still runs. */
export const isAlive = (name: string): boolean => {
  const pid = Number(name.split('-')[0])
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (systemErrorCode(error) !== 'EPERM') return false
  }
  return nameOfProcess(pid) === name
}

/**
 * The start time of a process, in the system's own count. A zombie gives `ended`, so its name never matches. Without /proc every process
 * gives `unknown`, so only ids are compared.
 */
const startOf = (pid: number): string => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command is in brackets and may hold any text. After it come the state and, 19 fields later, the start time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? 'ended' : (fields[19] ?? 'unknown')
  } catch {
    return 'unknown'
  }
}
