import { whyForeignName } from '../file-names.ts'

/** First bytes of file types that are not text. */
const SIGNATURES = [
  { bytes: [0x50, 0x4b, 0x03, 0x04], told: 'a ZIP archive, as Excel workbooks (.xlsx) are' },
  { bytes: [0x50, 0x4b, 0x05, 0x06], told: 'an empty ZIP archive' },
  { bytes: [0xd0, 0xcf, 0x11, 0xe0], told: 'an Excel workbook (.xls)' },
  { bytes: [0x1f, 0x8b], told: 'compressed (gzip)' },
  { bytes: [0x25, 0x50, 0x44, 0x46], told: 'a PDF document' },
  { bytes: [0xff, 0xfe], told: 'text in UTF-16' },
  { bytes: [0xfe, 0xff], told: 'text in UTF-16' },
]

/** Why a file is not read as CSV, by its name and its first bytes: a sentence. Undefined when it may be CSV. */
export const whyForeign = (head: Uint8Array, filename: string): string | undefined => {
  const signature = SIGNATURES.find(({ bytes }) => bytes.every((byte, index) => head[index] === byte))
  if (signature) return `The file is ${signature.told}, and not CSV in UTF-8 or Windows-1252. Save it as CSV and upload that.`
  return whyForeignName(filename)
}

/** Why a first line is not a header: a sentence. */
export const whyNoText = (line: Uint8Array): string | undefined => {
  if (!line.includes(0)) return undefined
  const isWide = line.every((byte, index) => index % 2 === 0 || byte === 0) || line.every((byte, index) => index % 2 === 1 || byte === 0)
  return isWide
    ? 'The file is text in UTF-16, and not CSV in UTF-8 or Windows-1252. Save it as CSV and upload that.'
    : 'The file is not text: its first line holds null characters. Save it as CSV and upload that.'
}
