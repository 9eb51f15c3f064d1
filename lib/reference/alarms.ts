import type { App } from 'aws-cdk-lib'
import { ImpactAlarm } from '../constructs/impact-alarm.ts'
import { settingsOf } from '../settings.ts'
import { code, page, table } from './markdown.ts'

const kindOf = ({ name }: ImpactAlarm): string => name.split('/').at(-1) ?? name

/** Every alarm of the service: what it means, and what to do; those with the same remedy together. */
export const alarmsPage = (app: App): string => {
  const prefix = `lead-outreach-${settingsOf(app).stage}-`
  const alarms = app.node.findAll().filter((one) => one instanceof ImpactAlarm)
  const remedies = [...new Map(alarms.map((alarm) => [alarm.remedy, alarm]))]
  return page(
    '# When an alarm stands',
    `An alarm is named after its stack, what is watched, and how: \`lead-outreach-prod-calling/PlaceCall/Errors\`. Its text in CloudWatch is the
one below, and the dashboard \`lead-outreach-prod\` shows which alarms stand. Other stages have their name in place of \`prod\`.`,
    ...remedies.flatMap(([remedy, alarm]) => {
      const rows = alarms.filter((one) => one.remedy === remedy).map(({ name, impact }) => [code(name.replace(prefix, '')), impact])
      const covered = alarm.covered.map(({ functionName, impact }) => [code(functionName.replace(prefix, '')), impact])
      return [
        `## ${code(`…/${kindOf(alarm)}`)}`,
        remedy,
        table(['Alarm', 'What it means'], rows),
        ...(covered.length > 0 ? [table(['Function that fails', 'What that means'], covered)] : []),
      ]
    }),
  )
}
