import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { StartFailure } from './engines/engine.ts'
import { keptBundles } from './kept-bundles.ts'

/** Prefix of the local run's stack names in the manifest. */
const LOCAL = '"lead-outreach-local-'

/** Checks a folder that an earlier start built. @throws StartFailure when it holds no assembly of the local run */
export const givenAssembly = async (folder: string): Promise<string> => {
  const manifest = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => undefined)
  if (manifest === undefined)
    throw new StartFailure(`There is no assembly in ${folder}. Name a folder that an earlier start has built, such as .local/cdk.out.`)
  if (!manifest.includes(LOCAL)) {
    throw new StartFailure(
      `The assembly in ${folder} belongs to a deployment. Its functions cannot reach anything on this machine. Name a folder that an earlier start has built, such as .local/cdk.out.`,
    )
  }
  return folder
}

/** Locally, webhook receivers and the voice agent may be on this machine. A deployment would refuse such addresses. */
const LOOPBACK_HOSTS = '127.0.0.1,localhost,[::1]'

const PROJECT = resolve(import.meta.dirname, '../..')

/** Folders of the functions' bundles, and of CDK's templates with copies of the bundles. */
export interface Built {
  readonly bundles: string
  readonly assembly: string
}

interface Hooks {
  /** Throws when the start was aborted. */
  readonly check?: () => void
  readonly progress?: (line: string) => void
}

const build = async (outdir: string): Promise<void> => {
  const { buildFunctions } = await import('../build-functions.ts')
  await buildFunctions({ outdir, localSources: true })
}

/**
 * Builds the bundles, unless they are cached, and the templates below `home`. The code for the templates loads while the bundles are made.
 * Security and template rules are not checked here: they are for deployments, and take longer than everything else.
 */
export const synthesise = async (home: string, { check = () => {}, progress = () => {} }: Hooks = {}): Promise<Built> => {
  const assembly = join(home, 'cdk.out')
  const announced = async (outdir: string): Promise<void> => {
    progress('Building the functions, because they are new or have changed …')
    await build(outdir)
  }
  const [{ buildApp }, bundles] = await Promise.all([import('../app.ts'), keptBundles({ root: PROJECT, home, build: announced })])
  check()
  progress('Starting the service …')
  // A custom domain belongs to a deployment, not to this run.
  const hosts = { privateAgentHosts: LOOPBACK_HOSTS, privateWebhookHosts: LOOPBACK_HOSTS }
  const context = { stage: 'local', bundles, ...hosts, domainName: '', certificateArn: '' }
  buildApp({ outdir: assembly, context, checked: false }).synth()
  return { bundles, assembly }
}
