import * as v from 'valibot'

/** `14:00-20:00`, parsed into minutes from midnight. */
const DayWindow = v.pipe(
  v.string(),
  v.regex(/^\d\d:\d\d-\d\d:\d\d$/),
  v.transform((text) => text.split('-').map((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3)))),
  v.tuple([v.number(), v.number()]),
)

/** Queues, separated by commas: the name, the URL, and the URL of the dead letters. */
const QueueNames = v.pipe(
  v.string(),
  v.transform((text) => text.split(',').map((queue) => queue.split(' '))),
  v.array(v.tuple([v.string(), v.string(), v.string()])),
)

/** Host names as URLs spell them (`[::1]`), with or without a port, separated by commas. Empty: none. */
const Hosts = v.pipe(
  v.optional(v.string(), ''),
  v.transform((text) => text.split(',').filter((host) => host !== '')),
)

/** Milliseconds that a destination has to answer. */
export const WEBHOOK_TIMEOUT = 15_000

/** The settings in a function's environment. Only this file reads the environment. */
const Settings = {
  /** Name of the deployment. Empty: no metrics are written. */
  STAGE: v.optional(v.string(), ''),
  TABLE_NAME: v.string(),
  CALL_QUEUE_URL: v.string(),
  DELIVERY_QUEUE_URL: v.string(),
  SLOW_DELIVERY_QUEUE_URL: v.string(),
  UPDATE_QUEUE_URL: v.string(),
  INGESTION_QUEUE_URL: v.string(),
  EVENT_BUS_NAME: v.string(),
  /** Bucket of the files that clients upload, and of the CSV files with their rejected rows. */
  UPLOADS_BUCKET: v.string(),
  /** Queues whose messages staff can count. */
  COUNTED_QUEUES: QueueNames,
  /** The same for events. Changes of the table have dead letters, but no queue: its URL is empty. */
  COUNTED_EVENT_QUEUES: QueueNames,
  /** Origin of the signed URLs of that bucket. */
  UPLOADS_ORIGIN: v.string(),
  /** Dead letters of the table's stream. */
  GIVEN_UP_QUEUE_URL: v.string(),
  UNCOUNTED_QUEUE_URL: v.string(),
  /** ARN of the secret whose text is the key of the phone number hash. */
  PHONE_HASH_SECRET_ARN: v.string(),
  /** ARN of the key that encrypts the data keys of subscriptions' headers. */
  HEADERS_KEY_ARN: v.string(),
  /** The service's own address, without a trailing slash. */
  PUBLIC_BASE_URL: v.string(),
  /** The address at which voice platforms reach the service, without a trailing slash. Empty: they cannot, so they are polled. */
  PLATFORM_BASE_URL: v.string(),
  /** Hosts of voice agents and calendars that may use plain HTTP and a private address. */
  PRIVATE_AGENT_HOSTS: Hosts,
  /** Hosts of customers' webhooks that may have a private address. */
  PRIVATE_WEBHOOK_HOSTS: Hosts,
  /** Time zone of returned datetimes. */
  OUTPUT_TIMEZONE: v.optional(v.string(), 'UTC'),
  /** Time zone of leads whose location is unknown. */
  DEFAULT_TIMEZONE: v.optional(v.string(), 'America/New_York'),
  /** Calling window of such leads by that zone's clock, as minutes from midnight. The default is daytime in all fifty states. */
  DEFAULT_WINDOW: v.optional(DayWindow, '14:00-20:00'),
  /**
   * From this day on, a person's stop on one channel ends all. In milliseconds, from its earliest midnight anywhere. Empty: never.
   */
  REVOKE_ALL_FROM: v.pipe(
    v.optional(v.string(), '2027-01-31'),
    v.transform((day) => (day === '' ? Number.POSITIVE_INFINITY : Date.parse(`${day}T00:00+14:00`))),
    v.number(),
  ),
  /** Path of an IP address database in the MaxMind format, with cities. Empty: leads are not located by IP address. */
  IP_DATABASE: v.optional(v.string(), ''),
  /** Milliseconds by which the service's clock is ahead of the machine's. */
  CLOCK_OFFSET_MS: v.pipe(v.optional(v.string(), '0'), v.transform(Number), v.integer()),
  /** Milliseconds that a destination has to answer. At most the default of 15 seconds. */
  WEBHOOK_TIMEOUT_MS: v.pipe(v.optional(v.string(), `${WEBHOOK_TIMEOUT}`), v.transform(Number), v.integer()),
  /** Most rows of files that one process begins in a second. The default is that of a deployment. */
  ROWS_PER_SECOND: v.pipe(v.optional(v.string(), '200'), v.transform(Number), v.number(), v.minValue(0.01)),
  /**
   * The API's routes, separated by commas: `GET /api/leads/{id}/calls/?page&page_size`, with the query parameters that they take. A third
   * word (`agent`, `ingestion` or `none`) replaces the need for a token.
   */
  ROUTES: v.pipe(
    v.string(),
    v.transform((text) => text.split(',').map((route) => route.split(' '))),
    v.array(
      v.pipe(
        v.tupleWithRest([v.string(), v.string()], v.picklist(['token', 'agent', 'platform', 'assistant', 'ingestion', 'none'])),
        v.transform(([method, target, auth = 'token']) => {
          const [path = '', query = ''] = target.split('?')
          return { method, path, auth, query: query === '' ? [] : query.split('&') }
        }),
      ),
    ),
  ),
}

type Settings = typeof Settings

/** @throws Error that names the variable, when it is missing or malformed */
export const setting = <K extends keyof Settings>(name: K): v.InferOutput<Settings[K]> => {
  const result = v.safeParse(Settings[name], process.env[name])
  if (!result.success) throw new Error(`The environment variable ${name} is missing or malformed: ${result.issues[0].message}`)
  return result.output
}
