import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import * as v from 'valibot'
import { systemErrorCode } from '../engines/start-failure.ts'
import type { Log } from './pause.ts'

/** The last processed sequence number, by reader of a shard. */
export type Positions = Map<string, string>

const fileSchema = v.pipe(v.string(), v.parseJson(), v.object({ positions: v.record(v.string(), v.string()) }))

/** Holds the stream's ARN. A new table has a new ARN, so a position never outlives its table. */
export const readerName = (functionName: string, streamArn: string, shardId: string): string => `${functionName} ${streamArn} ${shardId}`

/** The positions of an earlier run; empty when the file is missing or unreadable. */
export const readPositions = (file: string, log: Log): Positions => {
  try {
    return new Map(Object.entries(v.parse(fileSchema, readFileSync(file, 'utf8')).positions))
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') log(`${file} is no checkpoint, so streams are read from their beginning: ${String(error)}`)
    return new Map()
  }
}

/** Replaces the file in one step: a crash leaves either the old positions or the new ones. */
export const writePositions = async (file: string, positions: ReadonlyMap<string, string>): Promise<void> => {
  const draft = `${file}.new`
  await writeFile(draft, JSON.stringify({ positions: Object.fromEntries(positions) }))
  await rename(draft, file)
}
