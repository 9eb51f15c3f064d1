import { DatabaseSync } from 'node:sqlite'

/** Milliseconds to wait for a database that the engine is using. */
const PATIENCE_MS = 5_000

/**
 * Adds an index to the engine's stream records. Without one, the engine reads all records to number a new one, and to find those after
 * another. That gets slower with each record.
 * @param file the database of a running engine
 * @returns why the index could not be made; undefined when it is there
 */
export const indexStreams = (file: string): string | undefined => {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { timeout: PATIENCE_MS })
    database.exec('CREATE INDEX IF NOT EXISTS _stream_records_in_order ON _stream_records (table_name, CAST(sequence_number AS INTEGER))')
    return undefined
  } catch (error) {
    return String(error)
  } finally {
    database?.close()
  }
}
