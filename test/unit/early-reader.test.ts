import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

describe("the operator's tool", () => {
  it('ends without an error when the reader of its output, such as head, has closed it', async () => {
    const tool = spawn(process.execPath, ['bin/ops.ts', '--help'], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
    tool.stdout.destroy()
    const [err, [code]] = await Promise.all([text(tool.stderr), once(tool, 'close')])
    expect({ code, err }).toEqual({ code: 0, err: '' })
  })
})
