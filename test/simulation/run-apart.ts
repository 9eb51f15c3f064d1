import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { spawnMortal } from '#lib/local/processes/mortal-process.ts'

interface Options {
  /** Whether to show the script's progress while it runs. Otherwise its error output becomes part of an error. */
  readonly isShown?: boolean | undefined
  /** Ends the script. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs a script with its order as JSON, in a process of its own that never outlives this one.
 * @returns the output of the script
 */
export const runApart = async (script: URL, order: unknown, { isShown = false, signal }: Options = {}): Promise<string> => {
  const child = await spawnMortal(process.execPath, ['--no-warnings', fileURLToPath(script), JSON.stringify(order)])
  const stop = () => void child.stop()
  signal?.addEventListener('abort', stop)
  if (isShown) child.stderr.pipe(process.stderr, { end: false })
  const [output, complaint] = await Promise.all([text(child.stdout), text(child.stderr), child.exited])
  signal?.removeEventListener('abort', stop)
  signal?.throwIfAborted()
  if (output === '') throw new Error(`The script ${script.pathname} ended without a result: ${complaint}`)
  return output
}
