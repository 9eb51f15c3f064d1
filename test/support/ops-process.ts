import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Runs the operator's tool in a child process. */
export const toolProcess = async (args: readonly string[], env: NodeJS.ProcessEnv = process.env) => {
  const tool = spawn(process.execPath, ['bin/ops.ts', ...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], env })
  const [out, err, [code]] = await Promise.all([text(tool.stdout), text(tool.stderr), once(tool, 'close')])
  return { code, out, err }
}

/** Runs the operator's tool in a child process that knows only the service's folder. */
export const opsProcess = (folder: string, args: readonly string[]) => toolProcess([...args, '--data', folder])
