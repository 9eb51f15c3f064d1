import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Runs the operator's tool in a child process that knows only the service's folder. */
export const opsProcess = async (folder: string, args: readonly string[]) => {
  const tool = spawn(process.execPath, ['bin/ops.ts', ...args, '--data', folder], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, [code]] = await Promise.all([text(tool.stdout), text(tool.stderr), once(tool, 'close')])
  return { code, out, err }
}
