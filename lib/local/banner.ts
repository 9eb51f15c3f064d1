import { dirname } from 'node:path'

/** Everything that a client of the service needs. The tests of the local run rely on it. */
export interface ReadyReport {
  readonly url: string
  readonly apiKey: string
  readonly otherApiKey: string
  readonly staffApiKey: string
  readonly userId: number
  readonly otherUserId: number
  readonly staffUserId: number
  readonly leadTypeId: number
  /** Inbound number of the first user's lead type. */
  readonly inboundNumber: string
  /** Ids of the first user's ingestion URLs: one that requires a token, and one that does not. */
  readonly ingestId: string
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
}

/** The line that `--json` prints. */
export const readyLine = (report: ReadyReport): string => {
  const { url, apiKey, otherApiKey, staffApiKey, userId, otherUserId, staffUserId, leadTypeId, inboundNumber } = report
  const users = { apiKey, otherApiKey, staffApiKey, userId, otherUserId, staffUserId, leadTypeId, inboundNumber }
  const { ingestId, openIngestId, uploadSource, agentUrl, webhookSecret, functionsPid, operatorFile } = report
  const ingestion = { ingestId, openIngestId, uploadSource }
  return `${JSON.stringify({ ready: true, url, ...users, ...ingestion, agentUrl, webhookSecret, functionsPid, operatorFile })}\n`
}

interface Circumstances {
  readonly dataDirectory: string | undefined
  /** Start time of the service's clock, in epoch milliseconds; undefined: the machine's clock. */
  readonly now: number | undefined
}

/** The text for people: address, keys, and commands to copy. */
export const banner = (report: ReadyReport, { dataDirectory, now }: Circumstances): string => {
  const curl = `curl -s -H 'Authorization: Token ${report.apiKey}' -H 'Content-Type: application/json' ${report.url}`
  const rows = [
    ['API key', report.apiKey],
    ['of another user', report.otherApiKey],
    ['of staff', report.staffApiKey],
    ['webhook secret', report.webhookSecret],
    ['ingestion URL', `${report.url}/api/ingest-lead/${report.openIngestId}/upsert/ (needs no key)`],
    ['voice agent', `${report.agentUrl}/dials (simulated: nobody is called)`],
    ['data', dataDirectory ?? 'in memory'],
    ...(now === undefined ? [] : [['clock', new Date(now).toISOString()]]),
  ]
  return `
The lead outreach service listens on ${report.url}

${rows.map(([name = '', value]) => `  ${name.padEnd(16)}${value}`).join('\n')}

Create a lead. The service calls it at once if it is between 08:00 and 21:00 in its zone. A number that ends in 0001 takes the call:

  ${curl}/api/leads/ -d '{"phone_number": "+12125550001", "timezone": "America/New_York"}'

Show the lead. Replace ID with the id from the answer:

  ${curl}/api/leads/ID/

Send its events to your own server:

  ${curl}/api/webhooks/ -d '{"url": "http://127.0.0.1:8080/", "trigger": ["LEAD_CREATED", "CALL_COMPLETE", "LEAD_CLOSED"]}'

Upload a file of leads. It needs only some of the columns Lead ID, First Name, Last Name, Phone, Email, State, Zip, Source:

  LEAD_OUTREACH_URL=${report.url} LEAD_OUTREACH_API_KEY=${report.apiKey} npm run upload -- leads.csv --source ${report.uploadSource}

Set up users, lead types and everything else (see docs/operate.md):

  npm run ops --${dataDirectory === '.local' ? '' : ` --data ${dirname(report.operatorFile)}`} get users

Ctrl-C stops it.
`
}
