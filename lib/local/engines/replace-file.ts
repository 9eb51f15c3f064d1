import { rename, writeFile } from 'node:fs/promises'

/** Writes a file for its owner's eyes in one step: whatever happens meanwhile leaves the old content or the new. */
export const replaceFile = async (file: string, content: string): Promise<void> => {
  await writeFile(`${file}.new`, content, { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
}
