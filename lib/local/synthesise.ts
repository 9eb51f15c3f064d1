import { join } from 'node:path'

/** Webhooks and the voice agent may be on this machine, which no deployment would reach. */
const PRIVATE_HOSTS = '127.0.0.1,localhost,[::1]'

/** What is built below a folder: the functions' bundles, and CDK's templates with copies of them. */
export interface Built {
  readonly bundles: string
  readonly assembly: string
}

/**
 * Builds the bundles and the templates of the local run, below `home`. Both take a second, and their code a third to load: nothing waits for
 * them before. Rules on security and on templates are for those who deploy: checking them takes longer than everything else here.
 * @param check throws when nobody needs them any more
 */
export const synthesise = async (home: string, check: () => void = () => {}): Promise<Built> => {
  const bundles = join(home, 'bundles')
  const assembly = join(home, 'cdk.out')
  const building = import('../build-functions.ts').then(({ buildFunctions }) => buildFunctions({ outdir: bundles }))
  const [{ buildApp }] = await Promise.all([import('../app.ts'), building])
  check()
  // An address of the deployment's own would be that of the deployment.
  const context = { stage: 'local', bundles, privateHosts: PRIVATE_HOSTS, domainName: '', certificateArn: '' }
  buildApp({ outdir: assembly, context, checked: false }).synth()
  return { bundles, assembly }
}
