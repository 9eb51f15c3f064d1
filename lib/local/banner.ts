import { dirname } from 'node:path'
import { quoted } from '../command-line/quoted.ts'
import { EXAMPLE, whenCalled } from './example-call.ts'
import type { LocalOptions } from './options.ts'

/** Everything that a client of the service needs. The tests of the local run rely on it. */
export interface ReadyReport {
  readonly url: string
  /** The console. Its first reader is signed in as the first user. */
  readonly consoleUrl: string
  readonly apiKey: string
  readonly otherApiKey: string
  readonly staffApiKey: string
  readonly userId: number
  readonly otherUserId: number
  readonly staffUserId: number
  readonly leadTypeId: number
  /** Inbound number of the first user's lead type. */
  readonly inboundNumber: string
  /** Id of the first user's ingestion URL that requires a token. */
  readonly ingestId: string
  /** Id of the first user's ingestion URL that requires no token. */
  readonly openIngestId: string
  /** Name of the first user's upload source. */
  readonly uploadSource: string
  /** The simulated voice agent; `/dials` below it shows the requests that it got. */
  readonly agentUrl: string
  /** Signs the webhooks of the first user. */
  readonly webhookSecret: string
  /** Id of the functions' process at the start. It changes when that process dies. */
  readonly functionsPid: number
  /** Tells `npm run ops` how to reach the service. `--data` takes the file's folder. */
  readonly operatorFile: string
  /** A line that people see last. It is not in the line for programs. */
  readonly warning?: string | undefined
}

/** The line that `--json` prints. */
export const readyLine = (report: ReadyReport): string => {
  const { url, consoleUrl, apiKey, otherApiKey, staffApiKey, userId, otherUserId, staffUserId, leadTypeId, inboundNumber } = report
  const users = { apiKey, otherApiKey, staffApiKey, userId, otherUserId, staffUserId, leadTypeId, inboundNumber }
  const { ingestId, openIngestId, uploadSource, agentUrl, webhookSecret, functionsPid, operatorFile } = report
  const ingestion = { ingestId, openIngestId, uploadSource }
  return `${JSON.stringify({ ready: true, url, consoleUrl, ...users, ...ingestion, agentUrl, webhookSecret, functionsPid, operatorFile })}\n`
}

const simulatedExample = (curl: string, options: LocalOptions, at: number): string =>
  `Create a lead. ${whenCalled(options, at)}

  ${curl}/api/leads/ -d '{"phone_number": "${EXAMPLE.phone_number}", "timezone": "${EXAMPLE.metadata.timezone}"}'`

/** Always said: credentials are stored encrypted, so the banner does not know whether the agent has the secret. */
const NEEDS_SECRET = 'Reports of Bland, ElevenLabs, Telnyx and Vapi are refused until the agent has a callback_secret.'

/** It holds no number that could be dialled as it is. */
const realExample = (curl: string, agent: string, publicUrl: string | undefined): string =>
  `REAL PHONES RING. The agent ${agent} calls each lead that you create with the API and without a lead type, within the calling hours of its
number, and again as the cadence says. Calls may cost money. All other leads stay with the simulator: earlier ones, those of uploaded files,
and those of the ingestion URL. Write YOUR number instead of YOUR_NUMBER,
and your time zone. A number outside the North American Numbering Plan is called too:

  ${curl}/api/leads/ -d '{"phone_number": "YOUR_NUMBER", "timezone": "${EXAMPLE.metadata.timezone}", "first_name": "Ann"}'

${publicUrl === undefined ? 'No platform can report to this machine, so it is asked for outcomes every minute.' : `A platform reports to ${publicUrl}. ${NEEDS_SECRET}`}
To stop the calls, set call_dnc of the lead to true, or stop the service. After a later start without --agent, the
simulator calls them.`

/**
 * The text for people: commands to copy, and at its end, where a terminal shows it, the address and the keys. `at`: the service's clock.
 */
export const banner = (report: ReadyReport, options: LocalOptions, at: number): string => {
  const { dataDirectory, now, agent, publicUrl } = options
  const curl = `curl -s -H 'Authorization: Token ${report.apiKey}' -H 'Content-Type: application/json' ${report.url}`
  const ops = `npm run ops --${dataDirectory === '.local' ? '' : ` --data ${quoted(dirname(report.operatorFile))}`}`
  const ingestUrl = `${report.url}/api/ingest-lead/${report.openIngestId}/upsert/`
  const rows = [
    ['service', report.url],
    ['console', `${report.consoleUrl} (signs you in once, within an hour)`],
    ['documentation', `${report.url}/api/docs/`],
    ['data', dataDirectory ?? 'in memory'],
    ...(now === undefined ? [] : [['clock', new Date(now).toISOString()]]),
    ...(agent === undefined ? [] : [['voice agent', `${agent} (REAL PHONES RING)`]]),
    [agent === undefined ? 'voice agent' : 'simulator', `${report.agentUrl}/dials (simulated: nobody is called)`],
    ['ingestion URL', `${ingestUrl} (needs no key)`],
    ['webhook secret', report.webhookSecret],
    ['API key', report.apiKey],
    ['of another user', report.otherApiKey],
    ['of staff', report.staffApiKey],
  ]
  return `
${agent === undefined ? simulatedExample(curl, options, at) : realExample(curl, agent, publicUrl)}

Show the lead. Replace ID with the id from the answer:

  ${curl}/api/leads/ID/

Send its events to your own server:

  ${curl}/api/webhooks/ -d '{"url": "http://127.0.0.1:8080/", "trigger": ["LEAD_CREATED", "CALL_COMPLETE", "LEAD_CLOSED"]}'

Upload a file of leads. It needs only some of the columns Lead ID, First Name, Last Name, Phone, Email, State, Zip, Source:

  LEAD_OUTREACH_URL=${report.url} LEAD_OUTREACH_API_KEY=${report.apiKey} npm run upload -- leads.csv --source ${report.uploadSource}

Set up an example company with a user, a lead type and a source, and show what is set up (see docs/operate.md):

  ${ops} apply lib/ops/examples/company.yaml
  ${ops} get users

Set the variables that the README and the guides in docs/ use:

  export API=${report.url} KEY=${report.apiKey} AGENT=${report.agentUrl} INGEST_URL=${ingestUrl}

The lead outreach service is ready. Ctrl-C stops it.

${rows.map(([name = '', value]) => `  ${name.padEnd(16)}${value}`).join('\n')}
`
}
