import { App, Stack, Tags, Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks } from 'cdk-nag'
import cdkJson from '../cdk.json' with { type: 'json' }
import { settingsOf } from './settings.ts'
import { ApiStack } from './stacks/api-stack.ts'
import { CallingStack } from './stacks/calling-stack.ts'
import { DataStack } from './stacks/data-stack.ts'
import { EventsStack } from './stacks/events-stack.ts'
import { IngestionStack } from './stacks/ingestion-stack.ts'
import { MonitoringStack } from './stacks/monitoring-stack.ts'

export interface AppOptions {
  /** Settings by name, as `cdk -c` gives them; see `settings.ts`. */
  readonly context?: Readonly<Record<string, unknown>>
  /** Folder for the templates and assets. Default: what the CDK command line says, else a new temporary folder. */
  readonly outdir?: string
  /** Whether a violation of a security rule or of CloudFormation's schemas fails the build. Default: true, as deployments need. */
  readonly checked?: boolean
}

/**
 * The service as a CDK app. `.synth()` writes its templates. With `checked`, it throws when a security rule is broken without a reason.
 * Needs the bundles (`npm run build`), but no account and no network.
 * @throws Error when a setting is malformed or a bundle is missing.
 */
export const buildApp = ({ context, outdir, checked = true }: AppOptions = {}): App => {
  const app = new App({
    analyticsReporting: false,
    builtinCloudFormationValidation: checked,
    context: { ...cdkJson.context, ...context },
    ...(outdir !== undefined && { outdir }),
  })
  const { stage, tags } = settingsOf(app)
  const stackName = (part: string): string => `lead-outreach-${stage}-${part}`

  const data = new DataStack(app, 'Data', { stackName: stackName('data') })
  const events = new EventsStack(app, 'Events', { stackName: stackName('events'), data })
  const api = new ApiStack(app, 'Api', { stackName: stackName('api'), data, events })
  const calling = new CallingStack(app, 'Calling', { stackName: stackName('calling'), data, baseUrl: api.baseUrl })
  const ingestion = new IngestionStack(app, 'Ingestion', { stackName: stackName('ingestion'), data })
  // Readers are deployed before writers: an older reader would derive no event from an item of a newer shape.
  for (const writer of [api, calling, ingestion]) writer.addStackDependency(events)
  // The API may offer a dry run only when its worker knows it: an older worker would write the leads.
  api.addStackDependency(ingestion)
  // An older API would neither stop the dials of a newer place-call when it pauses, nor free the lines that they take.
  calling.addStackDependency(api)
  new MonitoringStack(app, 'Monitoring', { stackName: stackName('monitoring'), data, api })

  Tags.of(app).add('service', 'lead-outreach')
  Tags.of(app).add('stage', stage)
  for (const part of app.node.children) if (part instanceof Stack) Tags.of(part).add('part', part.node.id.toLowerCase())
  for (const [name, value] of Object.entries(tags)) Tags.of(app).add(name, value)
  if (checked) Validations.of(app).addPlugins(new AwsSolutionsChecks(app))
  return app
}
