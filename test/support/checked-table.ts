import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface CheckedTable {
  readonly code: number
  readonly items: number
  readonly findings: readonly { readonly kind: string; readonly where: string; readonly message: string }[]
}

/** Runs the operator's check on a running service, in a child process. @param directory with the service's operator file */
export const checkedTable = async (directory: string): Promise<CheckedTable> => {
  const tool = spawn(process.execPath, ['bin/ops.ts', 'check', '--json', '--data', directory], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { out: '', err: '' }
  tool.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.out += text
  })
  tool.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.err += text
  })
  const [code] = await once(tool, 'close')
  if (said.out === '') throw new Error(`The check ended with ${code}: ${said.err}`)
  return { code, ...JSON.parse(said.out) }
}
