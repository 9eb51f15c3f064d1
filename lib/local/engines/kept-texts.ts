import { readFile, rename, writeFile } from 'node:fs/promises'
import * as v from 'valibot'
import { StartFailure, systemErrorCode } from './engine.ts'

/**
 * Reads JSON that an earlier start has written; undefined when there is no file.
 * @param what the file holds, for messages: `keys`
 * @throws StartFailure when the file exists and cannot be read: new values would not fit the stored data
 */
export const readKept = async <S extends v.GenericSchema>(file: string, schema: S, what: string): Promise<v.InferOutput<S> | undefined> => {
  try {
    return v.parse(schema, JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined
    throw new StartFailure(`The ${what} in ${file} cannot be read: put a copy of the file back, or name another directory with --data.`)
  }
}

/** Replaces a file in one step, readable by its owner only. A crash leaves the old content or the new. */
export const replaceFile = async (file: string, content: string): Promise<void> => {
  await writeFile(`${file}.new`, content, { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
}

/** Texts by ARN. Each is made once, and kept in a file, or in memory without a file. */
export interface KeptTexts {
  get(arn: string): string | undefined
  /** Makes the missing texts. */
  addMissing<T extends { readonly arn: string }>(specs: readonly T[], make: (spec: T) => string): Promise<void>
}

/** @param what the texts are, for messages: `keys`. @throws StartFailure when the file cannot be read */
export const keepTexts = async (file: string | undefined, text: v.GenericSchema<string>, what: string): Promise<KeptTexts> => {
  const kept = file === undefined ? undefined : await readKept(file, v.record(v.string(), text), what)
  const texts = new Map(Object.entries(kept ?? {}))
  return {
    get: (arn) => texts.get(arn),
    async addMissing(specs, make) {
      const missing = specs.filter(({ arn }) => !texts.has(arn))
      for (const spec of missing) texts.set(spec.arn, make(spec))
      if (file !== undefined && missing.length > 0) await replaceFile(file, JSON.stringify(Object.fromEntries(texts)))
    },
  }
}
