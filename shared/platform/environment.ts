import * as v from 'valibot'

/** `14:00-20:00`, as minutes from midnight. */
const DayWindow = v.pipe(
  v.string(),
  v.regex(/^\d\d:\d\d-\d\d:\d\d$/),
  v.transform((text) => text.split('-').map((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3)))),
  v.tuple([v.number(), v.number()]),
)

/** Host names as URLs spell them (`[::1]`), with a port or without, separated by commas. Empty: none. */
const Hosts = v.pipe(
  v.optional(v.string(), ''),
  v.transform((text) => text.split(',').filter((host) => host !== '')),
)

/** Milliseconds that a destination has to answer. */
export const WEBHOOK_TIMEOUT = 15_000

/** The settings that a function finds in its environment. This is the one place where the environment is read. */
const Settings = {
  /** Name of the deployment. Empty: nobody looks at what is measured. */
  STAGE: v.optional(v.string(), ''),
  TABLE_NAME: v.string(),
  CALL_QUEUE_URL: v.string(),
  DELIVERY_QUEUE_URL: v.string(),
  SLOW_DELIVERY_QUEUE_URL: v.string(),
  UPDATE_QUEUE_URL: v.string(),
  INGESTION_QUEUE_URL: v.string(),
  EVENT_BUS_NAME: v.string(),
  /** Bucket of the files that clients upload, and of what became of them. */
  UPLOADS_BUCKET: v.string(),
  /** Dead letters of the table's stream. */
  GIVEN_UP_QUEUE_URL: v.string(),
  /** ARN of the secret whose text keys the hash of phone numbers. */
  PHONE_HASH_SECRET_ARN: v.string(),
  /** ARN of the key under which the data keys of subscriptions' headers are encrypted. */
  HEADERS_KEY_ARN: v.string(),
  /** The service's own address, without a slash at its end. */
  PUBLIC_BASE_URL: v.string(),
  /** Hosts at which voice agents and calendars may be reached over plain HTTP and at a private address. */
  PRIVATE_AGENT_HOSTS: Hosts,
  /** Hosts at which customers' webhooks may be reached although their address is private. */
  PRIVATE_WEBHOOK_HOSTS: Hosts,
  /** Zone of the datetimes that the service returns. */
  OUTPUT_TIMEZONE: v.optional(v.string(), 'UTC'),
  /** Zone of leads that say nothing of where they are. */
  DEFAULT_TIMEZONE: v.optional(v.string(), 'America/New_York'),
  /** When they may be called by the clock of that zone, as minutes from midnight; daytime in all fifty states unless set otherwise. */
  DEFAULT_WINDOW: v.optional(DayWindow, '14:00-20:00'),
  /** Path of a database of IP addresses in the MaxMind format, with cities. Empty: no lead is located by its address. */
  IP_DATABASE: v.optional(v.string(), ''),
  /** Milliseconds by which the service's clock is ahead of the machine's. */
  CLOCK_OFFSET_MS: v.pipe(v.optional(v.string(), '0'), v.transform(Number), v.integer()),
  /** Milliseconds that a destination has to answer; no more than its default of 15 seconds. */
  WEBHOOK_TIMEOUT_MS: v.pipe(v.optional(v.string(), `${WEBHOOK_TIMEOUT}`), v.transform(Number), v.integer()),
  /**
   * The routes of the API, separated by commas: `GET /api/leads/{id}/`; `agent` or `none` after the path says that no token is asked for.
   */
  ROUTES: v.pipe(
    v.string(),
    v.transform((text) => text.split(',').map((route) => route.split(' '))),
    v.array(
      v.pipe(
        v.tupleWithRest([v.string(), v.string()], v.picklist(['token', 'agent', 'ingestion', 'none'])),
        v.transform(([method, path, auth = 'token']) => ({ method, path, auth })),
      ),
    ),
  ),
}

type Settings = typeof Settings

/** @throws Error that names the variable, when it is missing or malformed. */
export const setting = <K extends keyof Settings>(name: K): v.InferOutput<Settings[K]> => {
  const result = v.safeParse(Settings[name], process.env[name])
  if (!result.success) throw new Error(`The environment variable ${name} is missing or malformed: ${result.issues[0].message}`)
  return result.output
}
