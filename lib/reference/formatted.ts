import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'

const PROJECT = resolve(import.meta.dirname, '../..')

/** A text of Markdown as the formatter of the project leaves it. */
export const formatted = (file: string, text: string): string =>
  execFileSync(resolve(PROJECT, 'node_modules/.bin/biome'), ['format', `--stdin-file-path=lib/reference/${file}`], {
    cwd: PROJECT,
    input: text,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'inherit'],
  })
