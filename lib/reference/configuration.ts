import { toJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { ConfigurationFile } from '../ops/configuration/schema.ts'
import { Settings } from '../settings.ts'
import { code, codeBlock, markdownPage, markdownTable } from './markdown.ts'
import { schemaRows } from './schema-rows.ts'

/** The requirements of a schema, taken from its error messages. */
const demands = (schema: unknown): readonly string[] => {
  const Part = v.object({
    message: v.optional(v.unknown()),
    pipe: v.optional(v.array(v.unknown()), []),
    options: v.optional(v.array(v.unknown()), []),
    wrapped: v.optional(v.unknown()),
  })
  const part = v.safeParse(Part, schema)
  if (!part.success) return []
  const { message, pipe, options, wrapped } = part.output
  const own = typeof message === 'string' ? [message.replace(/^must be /, '')] : []
  return [...new Set([...own, ...[...pipe.slice(0, 1), wrapped, ...options, ...pipe.slice(1)].flatMap(demands)])]
}

const deploymentRows = Object.entries(Settings.entries).map(([name, setting]) => {
  const fallback = v.getDefault(setting)
  return [code(name), demands(setting).join(', ') || 'text', fallback === '' ? '' : code(`${fallback}`), v.getDescription(setting) ?? '']
})

/** All settings: those of a deployment, and those that the operator applies to it. */
export const configurationPage = (): string =>
  markdownPage(
    '# Configuration',
    '## A deployment',
    `These are keys of the CDK context. Set them in \`cdk.json\` or on the command line. An unknown or malformed key is refused before anything
is deployed. The local service uses the defaults, and also allows requests to loopback.`,
    codeBlock('', 'npm run deploy -- --context stage=staging --context defaultTimezone=America/Chicago'),
    markdownTable(['Key', 'Takes', 'Default', 'What it is'], deploymentRows),
    '## A file of `npm run ops -- apply`',
    `The file is YAML. \`lib/ops/schema.json\` is its schema for editors, and \`lib/ops/examples/company.yaml\` is an example. Settings that the
file leaves out stay as they are; only required keys must be there. If a new user, lead type or agent lacks something, the tool says so. \`null\`
resets a setting to its default. \`[]\` in a path stands for each item of a list.`,
    markdownTable(
      ['Setting', 'Takes', 'Default', 'What it is'],
      schemaRows(toJsonSchema(ConfigurationFile, { errorMode: 'ignore', typeMode: 'input' })),
    ),
  )
