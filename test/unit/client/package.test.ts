import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import document from '#functions/docs/openapi.json' with { type: 'json' }
import { CLIENT_TYPES } from '#lib/generated.ts'
import { clientTypes } from '#lib/openapi/client-types.ts'
import { openApiDocument } from '#lib/openapi/document.ts'
import { PROJECT } from '#test/support/guides.ts'

const FOLDER = join(PROJECT, 'lib/client')
const read = (file: string): string => readFileSync(join(FOLDER, file), 'utf8')

/** Without what the formatter changes. `npm run lint` checks the format itself. */
const unformatted = (text: string): string => text.replace(/[\s,|()'"]+/g, '')

describe('the package of the client', () => {
  it('the client package has the types that npm run generate writes', () => {
    expect(unformatted(readFileSync(join(PROJECT, CLIENT_TYPES), 'utf8'))).toBe(unformatted(clientTypes(openApiDocument())))
  })

  it('the client package has the version of the interface', () => {
    expect(JSON.parse(read('package.json'))).toMatchObject({ version: document.info.version })
  })

  it('the client package imports nothing but its own files', () => {
    const files = readdirSync(FOLDER).filter((file) => file.endsWith('.ts'))
    const imported = files.flatMap((file) => [...read(file).matchAll(/ from '([^']+)'/g)].map(([, name = '']) => name))
    expect(imported.length).toBeGreaterThan(0)
    expect(imported.filter((name) => !files.includes(name.replace('./', '')))).toEqual([])
  })
})
