import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'

const PROJECT = resolve(import.meta.dirname, '..')

/** A file's text as the project's formatter writes it. `path`: relative to the project folder. */
export const formatted = (path: string, text: string): string =>
  execFileSync(resolve(PROJECT, 'node_modules/.bin/biome'), ['format', `--stdin-file-path=${path}`], {
    cwd: PROJECT,
    input: text,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
