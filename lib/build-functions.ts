import { globSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { build, type Metafile, type Plugin } from 'esbuild'
import * as v from 'valibot'
import { bundleName, functionNames } from './constructs/bundle.ts'
import { routes } from './routes.ts'

export interface BuildOptions {
  /** Folder that holds `functions/`. Default: the project's. */
  readonly root?: string
  /** Where the bundles go. Default: `dist/functions` of the project. */
  readonly outdir?: string
  /** Whether stack traces name the sources by their paths on this machine, even if the bundles are copied. Default: no. */
  readonly localSources?: boolean
}

/** Some dependencies are CommonJS and load Node's modules with `require`, which ES modules lack. */
const BANNER = "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);"

const PROJECT = resolve(import.meta.dirname, '..')

/** The part of the build's report about one bundle, for questions about its size. */
const metaOf = ({ inputs, outputs }: Metafile, file: string): Metafile => {
  const output = outputs[file]
  if (!output) throw new Error(`The build did not write ${file}.`)
  return {
    inputs: Object.fromEntries(Object.entries(inputs).filter(([path]) => path in output.inputs)),
    outputs: { [file]: output },
  }
}

const Assets = v.pipe(v.string(), v.parseJson(), v.array(v.string()))

/** A path in the project is a source for browsers, and is bundled. Any other path is a file of a package, and is copied. */
const isSource = (asset: string): boolean => asset.startsWith('lib/')

/** The same sources give the same bytes, so that browsers keep the files until they change. */
const bundleForBrowsers = async (root: string, sources: readonly string[], outdir: string): Promise<void> => {
  if (sources.length === 0) return
  await build({
    absWorkingDir: root,
    entryPoints: [...sources],
    entryNames: '[name]',
    outdir,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
    plugins: [dropUnusedSchemas],
    logLevel: 'warning',
  })
}

/** Puts the files that `NAME.assets.json` lists beside the function's bundle. The function reads them at run time. */
const addAssets = async (root: string, outdir: string): Promise<void> => {
  for (const list of globSync('functions/**/*.assets.json', { cwd: root })) {
    const folder = join(outdir, bundleName(list.replaceAll('\\', '/').slice('functions/'.length, -'.assets.json'.length)))
    const assets = v.parse(Assets, await readFile(join(root, list), 'utf8'))
    await bundleForBrowsers(root, assets.filter(isSource), folder)
    for (const asset of assets.filter((path) => !isSource(path)))
      await copyFile(join(root, 'node_modules', asset), join(folder, basename(asset)))
  }
}

const CALL_OR_COMMENT = /\/\*.*?\*\/|(?<![.\w`])v\.(\w+)\(/gs

/**
 * Marks calls that build a valibot schema as free of side effects, so that a bundle leaves out schemas it does not use. Valibot marks these
 * functions itself, but esbuild ignores the mark in other files than the function's own.
 */
const dropUnusedSchemas: Plugin = {
  name: 'drop-unused-schemas',
  async setup({ onLoad }) {
    const valibot = await readFile(join(PROJECT, 'node_modules/valibot/dist/index.mjs'), 'utf8')
    const pure = new Set(Array.from(valibot.matchAll(/@__NO_SIDE_EFFECTS__ \*\/\s*function (\w+)/g), ([, name]) => name))
    if (pure.size === 0) throw new Error('Valibot marks no function as free of side effects any more.')
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      if (!source.includes("import * as v from 'valibot'")) return undefined
      return {
        loader: 'ts',
        contents: source.replace(CALL_OR_COMMENT, (found, name) => (pure.has(name) ? `/* @__PURE__ */ ${found}` : found)),
      }
    })
  },
}

const removeOthers = async (outdir: string, kept: readonly string[]): Promise<void> => {
  for (const entry of await readdir(outdir)) {
    if (!kept.includes(entry.replace(/\.meta\.json$/, ''))) await rm(join(outdir, entry), { recursive: true })
  }
}

/**
 * Bundles all functions in one run: `leads/create` becomes `leads-create/index.mjs`, and `leads-create.meta.json` lists its contents. The
 * same sources give the same bytes. Listed assets are put beside the bundle.
 * @returns names of the functions.
 * @throws Error when a route names a missing function, or a function does not build.
 */
export const buildFunctions = async ({
  root = PROJECT,
  outdir = join(root, 'dist/functions'),
  localSources = false,
}: BuildOptions = {}): Promise<string[]> => {
  const names = functionNames(root)
  const missing = routes.find((route) => !names.includes(route.function))
  if (missing)
    throw new Error(`lib/routes.ts names the function ${missing.function}, but functions/${missing.function}.ts exports no handler.`)

  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: names.map((name) => ({ in: `functions/${name}.ts`, out: `${bundleName(name)}/index` })),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    alias: { '@aws-sdk/credential-provider-node': join(PROJECT, 'shared/platform/environment-credentials.ts') },
    banner: { js: BANNER },
    plugins: [dropUnusedSchemas],
    sourcemap: 'linked',
    sourcesContent: false,
    // Sources are named relative to their bundle's folder. All these folders are siblings, so any name works here.
    ...(localSources && { sourceRoot: `${join(outdir, 'any')}/` }),
    metafile: true,
    logLevel: 'warning',
    // esbuild is a separate process: it could still write after this process has ended and cleaned up.
    write: false,
  })

  await mkdir(outdir, { recursive: true })
  for (const { path, contents } of outputFiles) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, contents)
  }
  for (const name of names) {
    const [file = ''] = Object.keys(metafile.outputs).filter((path) => path.endsWith(`/${bundleName(name)}/index.mjs`))
    await writeFile(join(outdir, `${bundleName(name)}.meta.json`), JSON.stringify(metaOf(metafile, file)))
  }
  await addAssets(root, outdir)
  await removeOthers(outdir, names.map(bundleName))
  return names
}

if (import.meta.main) {
  try {
    const names = await buildFunctions()
    process.stderr.write(`Built ${names.length} functions.\n`)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    process.exitCode = 1
  }
}
