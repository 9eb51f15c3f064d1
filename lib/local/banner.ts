import { dirname } from 'node:path'

/** What a client of the service needs to know, and what the tests of the local run rely on. */
export interface ReadyReport {
  readonly url: string
  readonly apiKey: string
  readonly otherApiKey: string
  readonly staffApiKey: string
  readonly userId: number
  readonly otherUserId: number
  readonly staffUserId: number
  readonly leadTypeId: number
  /** Calls to it are the first user's lead type's. */
  readonly inboundNumber: string
  /** An ingestion URL of the first user's, and one that asks for no token. */
  readonly ingestId: string
  readonly openIngestId: string
  /** The source of the first user's files. */
  readonly uploadSource: string
  /** The simulated voice agent; `/dials` below it shows what it was asked. */
  readonly agentUrl: string
  /** Signs the webhooks of the first user. */
  readonly webhookSecret: string
  /** Process of the functions at the start; it changes when that process dies. */
  readonly functionsPid: number
  /** Tells `npm run ops` how to reach it; `--data` takes its folder. */
  readonly operatorFile: string
}

/** The one line of `--json`. */
export const readyLine = (report: ReadyReport): string => {
  const { url, apiKey, otherApiKey, staffApiKey, userId, otherUserId, staffUserId, leadTypeId, inboundNumber } = report
  const users = { apiKey, otherApiKey, staffApiKey, userId, otherUserId, staffUserId, leadTypeId, inboundNumber }
  const { ingestId, openIngestId, uploadSource, agentUrl, webhookSecret, functionsPid, operatorFile } = report
  const ingestion = { ingestId, openIngestId, uploadSource }
  return `${JSON.stringify({ ready: true, url, ...users, ...ingestion, agentUrl, webhookSecret, functionsPid, operatorFile })}\n`
}

interface Circumstances {
  readonly dataDirectory: string | undefined
  /** The service's clock, in epoch milliseconds; undefined when it is the machine's. */
  readonly now: number | undefined
}

/** For people: where it listens, with which keys, and four commands to copy. */
export const banner = (report: ReadyReport, { dataDirectory, now }: Circumstances): string => {
  const curl = `curl -s -H 'Authorization: Token ${report.apiKey}' -H 'Content-Type: application/json' ${report.url}`
  const rows = [
    ['API key', report.apiKey],
    ['of another user', report.otherApiKey],
    ['of staff', report.staffApiKey],
    ['webhook secret', report.webhookSecret],
    ['ingestion URL', `${report.url}/api/ingest-lead/${report.openIngestId}/upsert/ (asks for no key)`],
    ['voice agent', `${report.agentUrl}/dials (simulated: nobody is called)`],
    ['data', dataDirectory ?? 'in memory'],
    ...(now === undefined ? [] : [['clock', new Date(now).toISOString()]]),
  ]
  return `
The lead outreach service listens on ${report.url}

${rows.map(([name = '', value]) => `  ${name.padEnd(16)}${value}`).join('\n')}

Create a lead. It is called at once while it is between 08:00 and 21:00 in its zone, and 0001 at the end takes the call:

  ${curl}/api/leads/ -d '{"phone_number": "+12125550001", "timezone": "America/New_York"}'

See how it stands, with the id of the answer in place of ID:

  ${curl}/api/leads/ID/

Have its events sent to a server of yours:

  ${curl}/api/webhooks/ -d '{"url": "http://127.0.0.1:8080/", "trigger": ["LEAD_CREATED", "CALL_COMPLETE", "LEAD_CLOSED"]}'

Upload a file of leads. Its header names some of Lead ID, First Name, Last Name, Phone, Email, State, Zip, Source:

  LEAD_OUTREACH_URL=${report.url} LEAD_OUTREACH_API_KEY=${report.apiKey} npm run upload -- leads.csv --source ${report.uploadSource}

Set up users, lead types and all the rest; see docs/operate.md:

  npm run ops --${dataDirectory === '.local' ? '' : ` --data ${dirname(report.operatorFile)}`} get users

Ctrl-C stops it.
`
}
