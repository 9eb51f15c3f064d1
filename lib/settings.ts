import type { IConstruct } from 'constructs'
import * as v from 'valibot'
import { MOST_LANES } from '#shared/uploads/rules/lanes.ts'
import {
  CERTIFICATE,
  HOST,
  hosts,
  INSTANCE,
  isDay,
  isTimezone,
  isWindow,
  LOG_RETENTION_DAYS,
  LONGEST_HOST,
  PAIR,
  TAG_PAIRS,
  TAKEN_TAGS,
  TOPIC,
  wholeNumber,
  yesOrNo,
} from './setting-formats.ts'

/** Name of the file in the folder that `ipDatabase` names. */
export const IP_DATABASE_FILE = 'ip-places.mmdb'

/** Rows a second of a place for files. With fewer, a run could not finish a batch of rows. */
const LEAST_ROWS = 5

/** The settings of a deployment, each a key of the CDK context: in `cdk.json`, or `cdk deploy -c name=value`. */
export const Settings = v.object({
  stage: v.pipe(
    v.optional(v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,19}$/, 'must be 1 to 20 of a-z, 0-9 and -, a letter first')), 'prod'),
    v.description('Name of this deployment. It is part of the names of stacks and functions, and of the URL.'),
  ),
  defaultTimezone: v.pipe(
    v.optional(v.pipe(v.string(), v.check(isTimezone, 'must be an IANA time zone')), 'America/New_York'),
    v.description('Time zone of leads whose location is unknown.'),
  ),
  defaultWindow: v.pipe(
    v.optional(v.pipe(v.string(), v.check(isWindow, 'must be two times of a day, the earlier first, such as 14:00-20:00')), '14:00-20:00'),
    v.description(
      'Calling window of leads whose location is unknown, in defaultTimezone. The default is between 08:00 and 21:00 in all fifty states. Some states have narrower hours.',
    ),
  ),
  revokeAllFrom: v.pipe(
    v.optional(
      v.pipe(
        v.string(),
        v.check((day) => day === '' || isDay(day), 'must be a day such as 2027-01-31, or empty'),
      ),
      '2027-01-31',
    ),
    v.description(
      'Day from which a stop that a person asks for on one channel ends calls and texts alike, as 47 CFR 64.1200(a)(10) demands from 2027-01-31 on. Empty: never. The date is under reconsideration.',
    ),
  ),
  outputTimezone: v.pipe(
    v.optional(v.pipe(v.string(), v.check(isTimezone, 'must be an IANA time zone')), 'UTC'),
    v.description(
      'Time zone of the datetimes in answers, webhooks and requests to voice agents, `metadata.created_at` included. Datetimes from clients may have any offset.',
    ),
  ),
  ipDatabase: v.pipe(
    v.optional(v.string(), ''),
    v.description(
      `Folder with a database of IP addresses, ${IP_DATABASE_FILE}. It locates leads whose only location data is their IP address. Empty: no such database.`,
    ),
  ),
  privateAgentHosts: v.pipe(
    hosts,
    v.description(
      'Hosts, separated by commas, where voice agents and calendars may use plain HTTP and a private address: agent.internal, or agent.internal:8443 for one port only.',
    ),
  ),
  privateWebhookHosts: v.pipe(
    hosts,
    v.description(
      'Hosts, separated by commas, to which webhooks may go although their address is private. Every customer can send webhooks there: do not name a host that trusts its network.',
    ),
  ),
  connectInstances: v.pipe(
    v.optional(
      v.pipe(
        v.string(),
        v.transform((text): readonly string[] => text.split(',').filter(Boolean)),
        v.check(
          (arns) => arns.every((arn) => INSTANCE.test(arn)),
          'must be ARNs of instances of Amazon Connect, separated by commas, such as arn:aws:connect:us-east-1:111122223333:instance/10a4c4eb-f57e-4d4c-b602-bf39176ced07',
        ),
      ),
      '',
    ),
    v.description(
      'ARNs of the instances of Amazon Connect through which agents may call, separated by commas. They must be in the account of the deployment, and should be in its region: events come from there only. Empty: no instance.',
    ),
  ),
  logRetentionDays: v.pipe(
    v.optional(v.pipe(wholeNumber(1, 3653), v.picklist(LOG_RETENTION_DAYS, `must be one of ${LOG_RETENTION_DAYS.join(', ')}`)), 30),
    v.description('Days for which logs are kept.'),
  ),
  alarmTopicArn: v.pipe(
    v.optional(v.pipe(v.string(), v.regex(TOPIC, 'must be the ARN of an SNS topic')), ''),
    v.description('ARN of the SNS topic that alarms are sent to. Empty: alarms show in CloudWatch only.'),
  ),
  requestsPerSecond: v.pipe(
    v.optional(wholeNumber(1, 10_000), 500),
    v.description('Requests per second that the API accepts from all clients together.'),
  ),
  requestBurst: v.pipe(v.optional(wholeNumber(1, 5_000), 1_000), v.description('Requests that the API accepts at the same moment.')),
  domainName: v.pipe(
    v.optional(
      v.pipe(
        v.string(),
        v.check((name) => name.length <= LONGEST_HOST && HOST.test(name), 'must be a host name such as api.example.com'),
      ),
      '',
    ),
    v.description(
      'Host name of the API. Your DNS points it to the output DomainTarget (an alias record needs DomainTargetZone as well). Empty: the address that AWS gives.',
    ),
  ),
  certificateArn: v.pipe(
    v.optional(v.pipe(v.string(), v.regex(CERTIFICATE, 'must be the ARN of a certificate of Certificate Manager')), ''),
    v.description('ARN of the certificate for domainName, from Certificate Manager in the region of the deployment.'),
  ),
  closeGivenAddress: v.pipe(
    v.optional(yesOrNo, false),
    v.description(
      'Whether to switch off the address that AWS gives, so that only domainName works. Calls in progress report to the address with which they began: wait until domainName has been in use for a day.',
    ),
  ),
  firewallRequests: v.pipe(
    v.optional(
      v.pipe(
        wholeNumber(0, 2_000_000_000),
        v.check((count) => count === 0 || count >= 100, 'must be 0, or at least 100'),
      ),
      0,
    ),
    v.description(
      'Requests that the firewall accepts from one address in five minutes. It also refuses known attackers and known attacks. 0: no firewall. A firewall has a monthly price.',
    ),
  ),
  tags: v.pipe(
    v.optional(
      v.pipe(
        v.string(),
        v.regex(TAG_PAIRS, 'must be pairs such as team=sales,cost-center=42'),
        v.check((text) => !TAKEN_TAGS.test(text), 'may not set service, stage, part, or a name that begins with aws:'),
        v.transform(
          (text): Readonly<Record<string, string>> => Object.fromEntries([...text.matchAll(PAIR)].map(([, name, value]) => [name, value])),
        ),
      ),
      '',
    ),
    v.description(
      'Tags for all resources, in addition to service, stage and part, to break down the cost: names and values, separated by commas.',
    ),
  ),
  gatewayLogRole: v.pipe(
    v.optional(yesOrNo, true),
    v.description(
      'Whether to set the role with which API Gateway writes logs. The account has one such role in each region. Without it, there is no access log. Use false if another stack sets it.',
    ),
  ),
  callConcurrency: v.pipe(
    v.optional(wholeNumber(2, 1_000), 50),
    v.description('Concurrent runs that place calls. Each begins with up to ten calls.'),
  ),
  reservedConcurrency: v.pipe(
    v.optional(wholeNumber(0, 1_000), 0),
    v.description(
      'Concurrent runs that are reserved for placing calls, and the same number again for each of the three functions that take reports and tool calls of voice agents. Other functions cannot use these runs. 0: none, because the account may be new. Otherwise, set at least callConcurrency; the account then needs a quota of four times this number plus 100.',
    ),
  ),
  deliveryConcurrency: v.pipe(
    v.optional(wholeNumber(2, 1_000), 50),
    v.description('Number of batches, of ten webhooks each, that are delivered at the same time.'),
  ),
  slowDeliveryConcurrency: v.pipe(
    v.optional(wholeNumber(2, 1_000), 20),
    v.description('Number of these batches for slow destinations, at the same time. Slow destinations delay only each other.'),
  ),
  fileConcurrency: v.pipe(
    v.optional(wholeNumber(MOST_LANES + 1, 1_000), 10),
    v.description(`Files, or lanes of large files, that are read at the same time. One user gets at most ${MOST_LANES} of these places.`),
  ),
  fileRowsPerSecond: v.pipe(
    v.optional(wholeNumber(100, 1_000_000), 2_000),
    v.description(
      `Rows that all files together begin in a second, at most. Each place of fileConcurrency has an equal share, which must be at least ${LEAST_ROWS}. This leaves a part of the table to calls and requests.`,
    ),
  ),
  warmReadUnits: v.pipe(
    v.optional(wholeNumber(12_000, 10_000_000), 12_000),
    v.description(
      'Read units a second that the table can take at once, without a warm-up. The default is what each new table takes. It can never be lowered, and must not be below what the table has grown to. AWS charges once for a raise.',
    ),
  ),
  warmWriteUnits: v.pipe(v.optional(wholeNumber(4_000, 10_000_000), 4_000), v.description('The same for write units.')),
  bundles: v.pipe(
    v.optional(v.string(), 'dist/functions'),
    v.description("Folder of the functions' bundles, relative to the project folder."),
  ),
})

export type Settings = v.InferOutput<typeof Settings>

export const DEFAULT_SETTINGS = v.parse(Settings, {})

const NAMES = Object.keys(Settings.entries)

const RENAMED: Readonly<Record<string, string>> = {
  privateHosts: 'privateHosts is now two settings: privateAgentHosts for voice agents and calendars, privateWebhookHosts for webhooks',
}

/** The CDK's own keys contain a colon or a slash: `aws:cdk:…`, `@aws-cdk/…`, look-ups. */
const isCdkKey = (key: string): boolean => /[:/]/.test(key)

/** Contradictions between settings that depend on each other. */
const contradictionsIn = (settings: Settings): string[] => {
  const { domainName, certificateArn, closeGivenAddress, reservedConcurrency, callConcurrency, fileConcurrency, fileRowsPerSecond } =
    settings
  const found: string[] = []
  if ((domainName === '') !== (certificateArn === '')) found.push('domainName and certificateArn are set together or not at all')
  if (closeGivenAddress && domainName === '') found.push('closeGivenAddress needs domainName, which is not set')
  if (reservedConcurrency > 0 && reservedConcurrency < callConcurrency)
    found.push(`reservedConcurrency must be 0, or at least callConcurrency (${callConcurrency})`)
  if (fileRowsPerSecond < LEAST_ROWS * fileConcurrency)
    found.push(`fileRowsPerSecond must be at least ${LEAST_ROWS} for each of fileConcurrency (${fileConcurrency})`)
  return found
}

/**
 * The settings of the deployment to which a construct belongs.
 * @throws Error that names every unknown or malformed setting.
 */
export const settingsOf = (scope: IConstruct): Settings => {
  const context = v.parse(v.record(v.string(), v.unknown()), scope.node.root.node.getAllContext())
  const result = v.safeParse(Settings, context)
  const malformed = (result.issues ?? []).map((issue) => `${v.getDotPath(issue)} ${issue.message}`)
  const unknown = Object.keys(context).filter((key) => !isCdkKey(key) && !NAMES.includes(key))
  const problems = [
    ...malformed,
    ...unknown.map((key) => RENAMED[key] ?? `${key} is unknown (known are ${NAMES.join(', ')})`),
    ...(result.success ? contradictionsIn(result.output) : []),
  ]
  if (result.success && problems.length === 0) return result.output
  throw new Error(`Settings of the deployment, from the CDK context: ${problems.join('; ')}.`)
}
