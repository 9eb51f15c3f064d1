import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import { StartFailure, systemErrorCode } from './start-failure.ts'

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
