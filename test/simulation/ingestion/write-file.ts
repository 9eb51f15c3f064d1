import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { COLUMNS, END } from './csv-text.ts'
import type { Expected, Reference } from './reference.ts'
import { type FileSpec, rowsOf } from './rows.ts'

const PIECE = 64 * 1024

/** Writes the file. @returns the expected result of its rows */
export const writeFile = async (path: string, spec: FileSpec, reference: Reference): Promise<Expected> => {
  const { take, ...expected } = reference.take()
  const pieces = function* () {
    let piece = COLUMNS.join(',') + END
    for (const row of rowsOf(spec)) {
      take(row)
      piece += row.text + END
      if (piece.length < PIECE) continue
      yield piece
      piece = ''
    }
    yield piece
  }
  await pipeline(Readable.from(pieces()), createWriteStream(path))
  return expected
}

/** The expected result when the same file is sent again. */
export const expectAgain = (spec: FileSpec, reference: Reference): Expected => {
  const { take, ...expected } = reference.take()
  for (const row of rowsOf(spec)) take(row)
  return expected
}
