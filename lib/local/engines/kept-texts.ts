import * as v from 'valibot'
import { readKept } from './read-kept.ts'
import { replaceFile } from './replace-file.ts'

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
