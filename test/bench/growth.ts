import { isMentioned, mentionsOf } from '#shared/erasure/rules/mention.ts'
import { redacted } from '#shared/erasure/rules/redact.ts'
import { parseJson } from '#shared/http/json.ts'
import { readForm } from '#shared/http/steps/body.ts'
import { formPayload } from '#shared/ingestion/rules/form-payload.ts'
import { compileTransforms } from '#shared/ingestion/rules/transforms.ts'
import { rowsFrom } from '#shared/uploads/rules/csv/rows.ts'
import { compileFilter } from '#shared/webhooks/rules/filter/filter.ts'
import { redact } from '#shared/webhooks/rules/redact/redact.ts'

/** How the time of readers of external text grows: twice the text may take twice the time. */

const LENGTH = 500_000
const ROUNDS = 5

const MULTIPART = `multipart/form-data; boundary=${'a'.repeat(60)}`
const BOUNDARY = `--${'a'.repeat(60)}`
const URL_ENCODED = 'application/x-www-form-urlencoded'

const parses = (text: string): void => {
  try {
    parseJson(text)
  } catch {
    // Other tests check the error.
  }
}

const readsForm = (type: string) => async (text: string) => {
  await readForm(Buffer.from(text), type).catch(() => undefined)
}

const readsRows = async (text: string) => {
  const dialect = { delimiter: ',', newline: '\n', header: ['a', 'b'], start: { offset: 0, row: 1, line: 1 } } as const
  async function* stream() {
    for (let at = 0; at < text.length; at += 65_536) yield Buffer.from(text.slice(at, at + 65_536))
  }
  for await (const row of rowsFrom(stream(), { ...dialect, header: [...dialect.header] })) if ('read' in row) row.read('b')
}

const changes = (name: 'capitalize' | 'digits' | 'first_name' | 'last_name' | 'lower' | 'trim' | 'boolean') => {
  const change = compileTransforms([name])
  return (text: string) => void change(text)
}

const MENTIONS = mentionsOf('+12125550001')

/** `end` makes a reader fail, where failing takes longest. */
const READERS: Readonly<Record<string, readonly [read: (text: string) => unknown, unit: string, end?: string]>> = {
  'JSON that is nested and never closed': [parses, '['],
  'JSON of one text that is never closed': [parses, '"', 'a'],
  'JSON with its fault at the end': [parses, '"\\u0041", ', '!'],
  'JSON of long numbers': [(text) => parses(`[${text}1]`), '12345678901234567890,'],
  'a form of one field': [readsForm(URL_ENCODED), '%41+'],
  'a form of empty fields': [readsForm(URL_ENCODED), '&'],
  'a multipart form that is nearly its boundary': [readsForm(MULTIPART), `\r\n${BOUNDARY.slice(0, -1)}`],
  'a multipart form of headers': [(text) => readsForm(MULTIPART)(`${BOUNDARY}\r\n${text}`), 'a: b\r\n'],
  'a multipart form of parts': [readsForm(MULTIPART), `${BOUNDARY}\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n`],
  'the names of a form': [(text) => void formPayload({ [text]: 'a', b: 'c' }), 'a[b].'],
  'rows of quoted cells': [readsRows, '"",'],
  'rows that open a quote': [readsRows, '"a\n'],
  'rows of doubled quotes': [readsRows, '"""\n'],
  'one row without an end': [readsRows, 'a'],
  'empty rows': [readsRows, '\n'],
  'a name of many words': [changes('last_name'), 'a, '],
  'a name of many blanks': [changes('first_name'), 'a \t', 'a'],
  'words with capitals': [changes('capitalize'), "o'n-"],
  'digits between letters': [changes('digits'), 'a1'],
  'white space around text': [changes('trim'), ' ', 'a '],
  'mentions of a phone number': [(text) => isMentioned(MENTIONS, text), '+1 (21) '],
  'JSON in text that mentions one': [(text) => redacted(MENTIONS, `[${text}"2125550001"]`), '"\\\\",'],
  'an answer with codes': [(text) => redact(text, { a: 'bcde '.repeat(1_000) }, true), '%5c\\u0025&#x'],
  'large values that a filter compares': [(text) => compileFilter('a == b').matches({ a: text.split(''), b: text.split('') }), 'ab'],
}

const secondsFor = async (run: () => unknown): Promise<number> => {
  const started = performance.now()
  await run()
  return (performance.now() - started) / 1000
}

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

/** Milliseconds. Shorter times are too noisy, so the text grows until it takes this long or reaches `LONGEST`. */
export const LEAST_TOLD = 10
const LONGEST = 4_000_000

const ratioOf = async (read: (text: string) => unknown, unit: string, end: string) => {
  let length = LENGTH
  const text = (characters: number) => unit.repeat(Math.ceil(characters / unit.length)) + end
  while (length < LONGEST && (await secondsFor(() => read(text(length)))) * 1000 < LEAST_TOLD) length *= 2
  const [once, twice]: [number[], number[]] = [[], []]
  const [short, long] = [text(length), text(2 * length)]
  for (let round = 0; round < ROUNDS; round++) {
    once.push(await secondsFor(() => read(short)))
    twice.push(await secondsFor(() => read(long)))
  }
  return { characters: length, milliseconds: Math.round(median(once) * 1000), ratio: Math.round((median(twice) / median(once)) * 10) / 10 }
}

/** Growth by reader. */
export const growthOfReaders = async () => {
  const ratios: Record<string, Awaited<ReturnType<typeof ratioOf>>> = {}
  for (const [name, [read, unit, end = '']] of Object.entries(READERS)) ratios[name] = await ratioOf(read, unit, end)
  return ratios
}
