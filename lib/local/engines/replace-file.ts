import { rename, writeFile } from 'node:fs/promises'

/** Replaces a file in one step, readable by its owner only. A crash leaves the old content or the new. */
export const replaceFile = async (file: string, content: string): Promise<void> => {
  await writeFile(`${file}.new`, content, { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
}
