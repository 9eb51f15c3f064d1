import { join, resolve } from 'node:path'
import { keptBundles } from './kept-bundles.ts'

/** Webhooks and the voice agent may be on this machine, which no deployment would reach. */
const LOOPBACK_HOSTS = '127.0.0.1,localhost,[::1]'

const PROJECT = resolve(import.meta.dirname, '../..')

/** The functions' bundles, and CDK's templates with copies of them. */
export interface Built {
  readonly bundles: string
  readonly assembly: string
}

const build = async (outdir: string): Promise<void> => {
  const { buildFunctions } = await import('../build-functions.ts')
  await buildFunctions({ outdir, localSources: true })
}

/**
 * Builds what the local run needs: the bundles, where they are not there already, and the templates below `home`. Nothing waits for the
 * code of either before. Rules on security and on templates are for those who deploy: checking them takes longer than everything else here.
 * @param check throws when nobody needs them any more
 */
export const synthesise = async (home: string, check: () => void = () => {}): Promise<Built> => {
  const assembly = join(home, 'cdk.out')
  const [{ buildApp }, bundles] = await Promise.all([import('../app.ts'), keptBundles({ root: PROJECT, home, build })])
  check()
  // An address of the deployment's own would be that of the deployment.
  const hosts = { privateAgentHosts: LOOPBACK_HOSTS, privateWebhookHosts: LOOPBACK_HOSTS }
  const context = { stage: 'local', bundles, ...hosts, domainName: '', certificateArn: '' }
  buildApp({ outdir: assembly, context, checked: false }).synth()
  return { bundles, assembly }
}
