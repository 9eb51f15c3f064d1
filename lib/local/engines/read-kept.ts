import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import { StartFailure, systemErrorCode } from './start-failure.ts'

/**
 * What an earlier start has kept as JSON; undefined when there was none.
 * @param what it is, for its reader: `keys`
 * @throws StartFailure when the file is there and cannot be read: nothing else would do in its place
 */
export const readKept = async <S extends v.GenericSchema>(file: string, schema: S, what: string): Promise<v.InferOutput<S> | undefined> => {
  try {
    return v.parse(schema, JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined
    throw new StartFailure(`The ${what} in ${file} cannot be read: put a copy of the file back, or name another directory with --data.`)
  }
}
