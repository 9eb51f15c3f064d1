import { readFileSync } from 'node:fs'
import { systemErrorCode } from './start-failure.ts'

/** A process id and when that process began: `4711-90210`. An id alone may since have gone to another process. */
export const PROCESS_NAME = String.raw`\d+-[a-z0-9]+`

export const nameOfProcess = (pid: number): string => `${pid}-${startOf(pid)}`

/** Whether the process of that name still runs. */
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
 * When a process began, as the system counts it. One that has ended and was not yet buried began never; where the system does
 * not tell, all began alike.
 */
const startOf = (pid: number): string => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // After the command, which is in brackets and may hold anything: the state, and 19 fields on the start.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? 'ended' : (fields[19] ?? 'unknown')
  } catch {
    return 'unknown'
  }
}
