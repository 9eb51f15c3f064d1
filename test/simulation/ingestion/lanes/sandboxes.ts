import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const PROJECT = resolve(import.meta.dirname, '../../../..')
const BANNER = "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);"

/** A function, and the clients through which it reaches everything else. */
const contentsOf = (name: string): string => `
export { handler } from '#functions/${name}.ts'
export { client } from '#shared/platform/table/client.ts'
export { S3Client } from '@aws-sdk/client-s3'
export { SQSClient } from '@aws-sdk/client-sqs'
export { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
`

/** The part of a client that requests pass. */
export interface Sender {
  readonly prototype: { send: (command: never) => Promise<unknown> }
}

export interface Sandbox<Handler> {
  readonly handler: Handler
  readonly client: typeof import('#shared/platform/table/client.ts').client
  readonly S3Client: Sender
  readonly SQSClient: Sender
  readonly SecretsManagerClient: Sender
}

/**
 * Loads a function several times. As on Lambda, each sandbox has its own caches, and shares no list positions or ids with another one.
 * @param name the function's file, such as `workers/ingest-csv`
 */
export const loadSandboxes = async <Handler>(name: string, count: number): Promise<Sandbox<Handler>[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'sandboxes-'))
  try {
    const outfile = join(folder, 'worker.mjs')
    await build({
      ...{ stdin: { contents: contentsOf(name), resolveDir: PROJECT, loader: 'ts' }, outfile, absWorkingDir: PROJECT, logLevel: 'warning' },
      ...{ bundle: true, keepNames: true, format: 'esm', platform: 'node', target: 'node24', banner: { js: BANNER } },
    })
    const { href } = pathToFileURL(outfile)
    return await Promise.all(Array.from({ length: count }, (_, number): Promise<Sandbox<Handler>> => import(`${href}?sandbox=${number}`)))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
