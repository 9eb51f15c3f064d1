import { basename } from 'node:path'
import * as v from 'valibot'
import { type CommandLine, mistake, readBy } from '../command-line/command-line.ts'
import { quoted } from '../command-line/quoted.ts'
import { acceptedName } from './accepted-name.ts'
import { serviceAddress } from './address.ts'

/** Access to the service, and the format of the output. */
interface Access {
  /** Address of the service, without a trailing slash. */
  readonly url: string
  readonly key: string
  /** Print one line of JSON with the result, and nothing else, to standard output. */
  readonly json: boolean
  /** A file to save the CSV of rejected rows to, or the CSV of all rows of a dry run. */
  readonly report?: string
  /** A sentence: how the address was corrected. */
  readonly correction?: string
}

/** Send a file, and follow its processing. */
export interface Sending extends Access {
  readonly file: string
  /** Without it, nothing is sent: the command lists the sources that there are. */
  readonly source?: string
  /** Only report what would happen to each row. */
  readonly dryRun: boolean
}

/** Options to watch the progress of a file that was sent before. */
export interface Following extends Access {
  /** Id of the upload. */
  readonly follow: string
}

export type UploaderOptions = Sending | Following

const DEFAULT_URL = 'http://127.0.0.1:3000'

export const UPLOAD_USAGE = `Uploads a CSV file of leads, waits until it is processed, and reports what happened to its rows.

  npm run upload -- FILE --source SOURCE [flags]
  npm run upload -- --follow UPLOAD_ID [flags]

  --follow UPLOAD_ID  send nothing: wait for a file that was sent before, and report what happened to its rows
  --dry-run           tell what would happen to each row: no lead is written, and nobody is called
  --report FILE       save a CSV of the rejected rows, or of all rows of a dry run, to a new file
  --source SOURCE     source of the file, as the operator has set it up; it defines the columns; without it, the command
                      lists your sources
  --url URL           address of the service (default: LEAD_OUTREACH_URL, or else ${DEFAULT_URL})
  --key KEY           API key; everybody on this machine can see it here (default: LEAD_OUTREACH_API_KEY)
  --json              print one line of JSON with the result, and no progress; on failure, print {"error": "a sentence"}, with the
                      "upload_id" if it is known; a file that was sent is processed in any case
  --help              print this

The exit code is 0 if the file was processed, even if some rows were rejected. It is 1 if the file was not processed. It is 2 for a mistake
in the command.

Examples:

  export LEAD_OUTREACH_API_KEY=lok_…
  npm run upload -- leads.csv --source demo --dry-run
  npm run upload -- leads.csv --source demo
  npm run upload -- "January 2026.csv" --source crm --url https://leads.example.com
  npm -s run upload -- leads.csv --source demo --json | jq .rejected
  npm run upload -- --follow 5bfb0a5a-2f5b-4d5e-8a57-0c9f8b7b1a11
`

/** The command that follows an upload. Without the key, which is secret. */
export const followCommand = (id: string, url: string): string =>
  ['npm run upload -- --follow', id, ...(url === DEFAULT_URL ? [] : ['--url', quoted(url)])].join(' ')

const UploadId = v.pipe(v.string(), v.uuid())

/** The name of an option or variable, and its value. */
interface Named {
  readonly name: string
  readonly value: string | undefined
}

type Values = Readonly<Record<'file' | 'source' | 'follow', string | undefined>> & { readonly dryRun: boolean }

/** The task, or why the command is unclear. */
type Task = Omit<Sending, keyof Access> | Omit<Following, keyof Access> | { readonly unclear: string }

const sendingTask = ({ file, source, dryRun }: Values, others: readonly string[]): Task => {
  if (!file) return { unclear: 'Which file do you want to upload?' }
  if (others.length > 0) return { unclear: `One file at a time: "${file}" or "${others[0]}"?` }
  return { file, dryRun, ...(source && { source }) }
}

const followingTask = (follow: string, { file, source, dryRun }: Values): Task => {
  if (file !== undefined || source !== undefined || dryRun) {
    return { unclear: '--follow sends nothing: leave out either --follow, or the file, its source and --dry-run.' }
  }
  if (v.is(UploadId, follow)) return { follow }
  return { unclear: `--follow takes the id of an upload, which was printed when the file was sent, not "${follow}".` }
}

type Environment = Readonly<Record<string, string | undefined>>

/** The value of an option, or else of a variable. */
const named = (option: string, given: string | undefined, variable: string, environment: Environment): Named =>
  given === undefined ? { name: variable, value: environment[variable] } : { name: option, value: given }

const whyEmpty = ({ name, value }: Named, purpose: string): string | undefined =>
  value?.trim() === '' ? `${name} is empty. It must hold ${purpose}.` : undefined

const whyNoKey = (key: string): string | undefined =>
  /^[!-~]+$/.test(key) ? undefined : 'The API key contains spaces, line ends or other characters that no API key has.'

export const readUploadCommandLine = (args: readonly string[], environment: Environment): CommandLine<UploaderOptions> =>
  readBy(
    {
      args: [...args],
      allowPositionals: true,
      options: {
        source: { type: 'string' },
        follow: { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
        report: { type: 'string' },
        url: { type: 'string' },
        key: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    },
    ({ values, positionals }) => {
      if (values.help) return { kind: 'help' }
      const { source, follow, json, report, 'dry-run': dryRun } = values
      const [file, ...others] = positionals
      const said = { file, source, follow, dryRun }
      const task = follow === undefined ? sendingTask(said, others) : followingTask(follow, said)
      if ('unclear' in task) return mistake(task.unclear)
      const key = named('--key', values.key, 'LEAD_OUTREACH_API_KEY', environment)
      const url = named('--url', values.url, 'LEAD_OUTREACH_URL', environment)
      if (key.value === undefined) return mistake('An API key is needed: put it into LEAD_OUTREACH_API_KEY.')
      const faulty =
        whyEmpty(key, 'an API key, such as lok_…') ??
        whyNoKey(key.value) ??
        whyEmpty(url, 'the address of the service, such as https://leads.example.com') ??
        whyEmpty({ name: '--report', value: report }, 'the name of a new file')
      if (faulty !== undefined) return mistake(faulty)
      const address = serviceAddress(url.value ?? DEFAULT_URL)
      if ('unclear' in address) return mistake(address.unclear)
      return { kind: 'run', options: { ...task, ...address, json, key: key.value, ...(report !== undefined && { report }) } }
    },
  )

/** A file's name, as the service accepts it. */
export const uploadName = (file: string): string => acceptedName(basename(file))
