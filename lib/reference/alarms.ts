import type { App } from 'aws-cdk-lib'
import { ImpactAlarm } from '../constructs/impact-alarm.ts'
import { settingsOf } from '../settings.ts'
import { code, markdownPage, markdownTable } from './markdown.ts'

/** A single name is the heading. Several names have their common end as heading. */
const headingOf = (names: readonly string[]): string => {
  const [first = '', ...others] = names
  const parts = first.split('/')
  // Alarms with the same remedy have the same name, at least at its end.
  const from = parts.findIndex((_, at) => others.every((name) => name.endsWith(`/${parts.slice(at).join('/')}`)))
  return others.length === 0 ? first : `…/${parts.slice(from).join('/')}`
}

/** Every alarm of the service, with its meaning and its remedy. Alarms with the same remedy are in one section. */
export const alarmsPage = (app: App): string => {
  const prefix = `lead-outreach-${settingsOf(app).stage}-`
  const alarms = app.node.findAll().filter((one) => one instanceof ImpactAlarm)
  const named = ({ name }: ImpactAlarm): string => name.replace(prefix, '')
  return markdownPage(
    '# Alarms',
    `The name of an alarm tells its stack, the watched thing and the measure: \`lead-outreach-prod-calling/PlaceCall/Errors\`. CloudWatch shows
the text below. The dashboard \`lead-outreach-prod\` shows the active alarms. Other stages have their name in place of \`prod\`.`,
    ...[...Map.groupBy(alarms, ({ remedy }) => remedy)].flatMap(([remedy, group]) => {
      const rows = group.map((alarm) => [code(named(alarm)), alarm.impact])
      const covered = group
        .flatMap((alarm) => alarm.covered)
        .map(({ functionName, impact }) => [code(functionName.replace(prefix, '')), impact])
      return [
        `## ${code(headingOf(group.map(named)))}`,
        remedy,
        markdownTable(['Alarm', 'What it means'], rows),
        ...(covered.length > 0 ? [markdownTable(['Function that fails', 'What that means'], covered)] : []),
      ]
    }),
  )
}
