// The functions' process: everything in it may die at any instant, as sandboxes on AWS do. It ends with the process that started it.
import * as v from 'valibot'
import { type HostReply, request } from './messages.ts'
import { openSandboxes, type Sandboxes } from './sandboxes.ts'

let sandboxes: Sandboxes = openSandboxes({ specs: [], patience: 1, background: [] })

const tell = (message: HostReply): void => {
  process.send?.(message)
}

/** One after the other, so that an event that comes meanwhile finds a free core. */
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
