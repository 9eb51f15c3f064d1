import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { types } from 'node:util'
import { createGunzip } from 'node:zlib'
import { OpsRefusal } from '../refusal.ts'

/** A line of a registry is much shorter: without this limit, a file without line ends would fill the memory. */
const LONGEST = 1000

/** Characters of a wrong line that a message shows. */
const MOST_SHOWN = 60

const NOTHING = 'Nothing was imported.'

interface Unfit {
  readonly begin: readonly number[]
  readonly advice: string
}

const UNFIT: readonly Unfit[] = [
  { begin: [0x50, 0x4b], advice: 'is a ZIP archive. Unpack it, for example with unzip, and import the text file inside.' },
  { begin: [0x3c], advice: 'is XML. Download the list as a flat text file instead.' },
  { begin: [0xff, 0xfe], advice: 'is UTF-16 text. Convert it to plain text in UTF-8 or ASCII.' },
]

const GZIP = [0x1f, 0x8b]

const beginsWith = (bytes: Uint8Array, begin: readonly number[]): boolean => begin.every((byte, at) => bytes[at] === byte)

const unreadable = (path: string, why: unknown): OpsRefusal =>
  new OpsRefusal(`The file ${path} cannot be read: ${types.isNativeError(why) ? why.message : why}. ${NOTHING}`)

const beginningOf = async (path: string): Promise<Uint8Array> => {
  const file = await open(path).catch((error: unknown) => {
    throw unreadable(path, error)
  })
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2)
    return buffer.subarray(0, bytesRead)
  } catch (error) {
    throw unreadable(path, error)
  } finally {
    await file.close()
  }
}

const bytesOf = async (path: string): Promise<AsyncIterable<Buffer>> => {
  const begin = await beginningOf(path)
  const unfit = UNFIT.find((one) => beginsWith(begin, one.begin))
  if (unfit) throw new OpsRefusal(`The file ${path} ${unfit.advice} ${NOTHING}`)
  const file = createReadStream(path, { highWaterMark: 256 * 1024 })
  if (!beginsWith(begin, GZIP)) return file
  // The reader of the stream gets its errors.
  return pipeline(file, createGunzip(), () => {})
}

/**
 * Reads a text file, which gzip may have compressed, a chunk at a time. Blank lines are left out.
 * @param take gets each line, and its number from 1
 * @throws OpsRefusal when the file cannot be read as text
 */
export const readLines = async (path: string, take: (line: string, number: number) => void): Promise<void> => {
  let number = 0
  let rest = ''
  const takeLine = (line: string): void => {
    number++
    const text = (number === 1 ? line.replace(/^\u00EF\u00BB\u00BF/, '') : line).trim()
    if (text !== '') take(text, number)
  }
  try {
    for await (const chunk of await bytesOf(path)) {
      const lines = (rest + chunk.toString('latin1')).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) takeLine(line)
      if (rest.length > LONGEST) take(rest, number + 1)
    }
  } catch (error) {
    // Errors of files and of gzip have a code.
    throw types.isNativeError(error) && 'code' in error ? unreadable(path, error) : error
  }
  takeLine(rest)
}

/** The refusal of a file for the fault of one line. */
export const wrongLine = (path: string, number: number, text: string, fault: string): OpsRefusal => {
  const shown = text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text
  return new OpsRefusal(`${path}, line ${number}: "${shown}". ${fault} ${NOTHING}`)
}
