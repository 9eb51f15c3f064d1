import * as v from 'valibot'

/** Retentions that CloudWatch Logs accepts, in days. */
export const LOG_RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const

/** `cdk -c name=5` passes text. */
export const wholeNumber = (least: number, most: number) =>
  v.pipe(
    v.union([v.number(), v.pipe(v.string(), v.regex(/^\d+$/), v.transform(Number))], 'must be a whole number'),
    v.integer('must be a whole number'),
    v.minValue(least, `must be at least ${least}`),
    v.maxValue(most, `must be at most ${most}`),
  )

/** `cdk -c name=false` passes text. */
export const yesOrNo = v.pipe(
  v.union([v.boolean(), v.picklist(['true', 'false'])], 'must be true or false'),
  v.transform((value) => value === true || value === 'true'),
)

export const isTimezone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const WINDOW = /^([01]\d|2[0-3]):[0-5]\d-(([01]\d|2[0-3]):[0-5]\d|24:00)$/

export const isWindow = (text: string): boolean => WINDOW.test(text) && text.slice(0, 5) < text.slice(6)

const DAY = /^\d{4}-\d\d-\d\d$/

export const isDay = (text: string): boolean => DAY.test(text) && new Date(`${text}T00:00Z`).toJSON()?.startsWith(text) === true

export const LONGEST_HOST = 253

/** As URLs spell it: otherwise no URL would match. */
const isHost = (entry: string): boolean => {
  const name = entry.replace(/:\d{1,5}$/, '')
  return URL.canParse(`http://${entry}`) && new URL(`http://${entry}`).hostname === name
}

export const hosts = v.optional(
  v.pipe(
    v.string(),
    v.check(
      (text) => text === '' || text.split(',').every(isHost),
      'must be hosts as URLs spell them, separated by commas, with or without a port, such as agent.internal:8443',
    ),
  ),
  '',
)

export const HOST = /^$|^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/
export const CERTIFICATE = /^$|^arn:[\w-]+:acm:[\w-]+:\d{12}:certificate\/[\w-]+$/
export const TOPIC = /^$|^arn:[\w-]+:sns:[\w-]+:\d{12}:[\w-]+$/
export const INSTANCE = /^arn:[\w-]+:connect:[a-z]{2}(-[a-z]+)+-\d:\d{12}:instance\/[\w-]+$/
export const PAIR = /(?:^|,)([^=,]+)=([^,]*)/g
export const TAG_PAIRS = /^$|^[\w.:/+@-]{1,128}=[\w .:/+@-]{0,256}(,[\w.:/+@-]{1,128}=[\w .:/+@-]{0,256})*$/
/** AWS reserves some tags, and this service sets some itself. */
export const TAKEN_TAGS = /(?:^|,)(?:aws:[^=,]{0,128}|service|stage|part)=/i
