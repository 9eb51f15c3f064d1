// The functions' process. Like sandboxes on AWS, it may die at any instant. It ends with its parent process.
import * as v from 'valibot'
import { type HostReply, request } from './messages.ts'
import { openSandboxes, type Sandboxes } from './sandboxes.ts'

let sandboxes: Sandboxes = openSandboxes({ specs: [], patience: 1, background: [] })

const tell = (message: HostReply): void => {
  process.send?.(message)
}

/** One after the other, so that a core stays free for events. */
const warmUp = async (functionNames: readonly string[]): Promise<void> => {
  for (const name of functionNames) await sandboxes.warm(name)
}

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

process.on('message', async (message) => {
  const asked = v.parse(request, message)
  if (asked.type === 'configure') {
    sandboxes = openSandboxes({ ...asked, specs: asked.functions })
    tell({ type: 'ready' })
    await warmUp(asked.warm)
    tell({ type: 'warm' })
    return
  }
  tell({ type: 'result', id: asked.id, outcome: await sandboxes.run(asked.functionName, asked.payload) })
})
