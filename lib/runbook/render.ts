import type { App } from 'aws-cdk-lib'
import { ImpactAlarm } from '../constructs/impact-alarm.ts'
import { settingsOf } from '../settings.ts'

const HEAD = `<!-- Written by \`npm run runbook\` from the constructs of the alarms. -->
# When an alarm stands

An alarm is named after its stack, what is watched, and how: \`lead-outreach-prod-api/leads-create/Errors\`. Its text in CloudWatch is the
one below; the dashboard \`lead-outreach-prod\` shows which alarms stand. (Other stages have their name in place of \`prod\`.)
`

const kindOf = ({ name }: ImpactAlarm): string => name.split('/').at(-1) ?? name

const section = (kind: string, remedy: string, rows: readonly string[]): string =>
  `\n## \`…/${kind}\`\n\n${remedy}\n\n| Alarm | What it means |\n| --- | --- |\n${rows.join('\n')}\n`

/** Every alarm of the service: what it means, and what to do. As Markdown, alarms with the same remedy together. */
export const renderRunbook = (app: App): string => {
  const prefix = `lead-outreach-${settingsOf(app).stage}-`
  const alarms = app.node.findAll().filter((one) => one instanceof ImpactAlarm)
  const remedies = [...new Map(alarms.map((alarm) => [alarm.remedy, alarm]))]
  return HEAD.concat(
    ...remedies.map(([remedy, alarm]) => {
      const rows = alarms
        .filter((one) => one.remedy === remedy)
        .map(({ name, impact }) => `| \`${name.replace(prefix, '')}\` | ${impact} |`)
      return section(kindOf(alarm), remedy, rows)
    }),
  )
}
