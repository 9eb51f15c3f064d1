import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { transformFile } from '@swc/core'
import * as v from 'valibot'

const PROJECT = resolve(import.meta.dirname, '..')
const SOURCES = join(PROJECT, 'lib/client')

/** The compiler's own types lack one of these options, and the declarations that it returns. */
const OPTIONS = {
  swcrc: false,
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript' },
    rewriteRelativeImportExtensions: true,
    experimental: { emitIsolatedDts: true },
  },
} as const

const Compiled = v.object({
  code: v.string(),
  output: v.pipe(v.string(), v.parseJson(), v.object({ __swc_isolated_declarations__: v.string() })),
})

/** Writes the package of the client into a folder. With the compiler of the tests, which is smaller than TypeScript. */
export const buildClient = async (folder: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const file of (await readdir(SOURCES)).filter((name) => name.endsWith('.ts'))) {
    const { code, output } = v.parse(Compiled, await transformFile(join(SOURCES, file), OPTIONS))
    await writeFile(join(folder, file.replace(/\.ts$/, '.js')), code)
    await writeFile(join(folder, file.replace(/\.ts$/, '.d.ts')), output.__swc_isolated_declarations__)
  }
  await copyFile(join(SOURCES, 'package.json'), join(folder, 'package.json'))
  await copyFile(join(PROJECT, 'LICENSE'), join(folder, 'LICENSE'))
}

if (import.meta.main) await buildClient('dist/client')
