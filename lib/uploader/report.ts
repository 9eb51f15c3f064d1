import type { Shown } from './service.ts'

const COUNTS = ['created', 'updated', 'unchanged', 'rejected'] as const

const secondsOf = ({ created_time, finished_time }: Shown): string =>
  finished_time === null ? '' : ` in ${((Date.parse(finished_time) - Date.parse(created_time)) / 1000).toFixed(1)} s`

/** The result of an upload, for people. */
export const report = (upload: Shown): string => {
  const { filename, source, upload_id, status, rows, reengaged, rejected, error, rejected_url } = upload
  const cells = [...COUNTS.map((name) => [name, upload[name]] as const), ['rows', rows] as const].map(
    ([name, count]) => [name, count.toLocaleString('en-US')] as const,
  )
  const width = Math.max(...cells.map(([, count]) => count.length))
  const table = cells.map(([name, count]) => {
    const note = name === 'updated' && reengaged > 0 ? `  (${reengaged.toLocaleString('en-US')} of them reengaged)` : ''
    return `  ${name.padEnd(10)}${count.padStart(width)}${note}`
  })
  return [
    '',
    `${filename} to ${source}: ${status === 'failed' ? 'failed' : `done${secondsOf(upload)}`} (upload ${upload_id})`,
    ...(error === null ? [] : ['', error]),
    ...(status === 'failed' && rows === 0 ? [] : ['', ...table]),
    ...(rejected_url === null
      ? []
      : ['', 'The rejected rows, with line, column, value and message, for an hour from now:', '', `  ${rejected_url}`]),
    ...(rejected_url === null && rejected > 0 ? ['', 'There is no list of the rejected rows.'] : []),
    '',
  ].join('\n')
}
