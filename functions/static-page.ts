import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Reply } from '#shared/http/reply.ts'
import { type ApiHandler, served } from '#shared/http/served.ts'
import { notFound } from '#shared/platform/values/errors.ts'

interface StaticPage {
  /** Address of the function's bundle: the build puts the files beside it. */
  readonly bundle: string
  /** Paths of the files, as `NAME.assets.json` lists them. */
  readonly assets: readonly string[]
  /** Sources of scripts and styles that the page may use besides its own origin, as in a Content-Security-Policy. */
  readonly scripts?: string
  readonly styles?: string
  /** Tells the other origin that the page may send requests to. */
  readonly connects?: () => string
  /** The document. `path`: the page's own path, with its stage. `file`: the address of a file relative to the page. */
  readonly document: (path: string, file: (name: string) => string) => string
}

interface Served {
  readonly text: string
  /** A hash of the text, which is part of the file's address. */
  readonly version: string
}

const TYPES: Readonly<Record<string, string>> = { css: 'text/css', js: 'text/javascript' }

const FOR_EVER = 'public, max-age=31536000, immutable'

export const escapedHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** Name of the file that the build makes of an asset. */
const nameOf = (asset: string): string => asset.slice(asset.lastIndexOf('/') + 1).replace(/\.tsx$/, '.js')

const textReply = (text: string, type: string, headers: Readonly<Record<string, string>>): Reply => ({
  status: 200,
  text,
  headers: { 'Content-Type': `${type}; charset=utf-8`, 'X-Content-Type-Options': 'nosniff', ...headers },
})

type Allowed = Pick<StaticPage, 'scripts' | 'styles' | 'connects'>

/** The page loads from and sends to its own origin and the ones that it names. */
const policyOf = ({ scripts = '', styles = '', connects = () => '' }: Allowed): string =>
  [
    "default-src 'none'",
    `script-src 'self' ${scripts}`.trim(),
    `style-src 'self' ${styles}`.trim(),
    "img-src 'self' data:",
    `connect-src 'self' ${connects()}`.trim(),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** A function that serves a page and its files. Addresses of files are relative, so that the page works below any path. */
export const staticPage = ({ bundle, assets, document, ...allowed }: StaticPage): ApiHandler => {
  const names = assets.map(nameOf)
  const known = new Map<string, Promise<Served>>()

  const read = async (name: string): Promise<Served> => {
    const text = await readFile(new URL(name, bundle), 'utf8')
    return { text, version: createHash('sha256').update(text).digest('hex').slice(0, 16) }
  }
  const serve = (name: string): Promise<Served> => {
    const reading = known.get(name) ?? read(name)
    known.set(name, reading)
    return reading
  }

  const pageReply = async (path: string): Promise<Reply> => {
    const versions = new Map(await Promise.all(names.map(async (name) => [name, (await serve(name)).version] as const)))
    // Without the slash at its end, the page counts as a file of the folder above.
    const folder = path.endsWith('/') ? '' : `${path.slice(path.lastIndexOf('/') + 1)}/`
    const text = document(path.replace(/\/?$/, '/'), (name) => escapedHtml(`${folder}${name}?v=${versions.get(name)}`))
    return textReply(text, 'text/html', {
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': policyOf(allowed),
      'Referrer-Policy': 'no-referrer',
    })
  }

  /** During a deployment, the page of one version may ask the other version for a file. That answer must not be kept. */
  const fileReply = async (name: string, asked: string | undefined): Promise<Reply> => {
    const { text, version } = await serve(name)
    const isOther = asked !== undefined && asked !== version
    return textReply(text, TYPES[name.split('.').at(-1) ?? ''] ?? 'text/plain', { 'Cache-Control': isOther ? 'no-store' : FOR_EVER })
  }

  return served(async ({ pathParameters: { file }, query, url }) => {
    if (file === undefined) return pageReply(new URL(url).pathname)
    if (!names.includes(file)) throw notFound()
    return fileReply(file, query['v'])
  })
}
