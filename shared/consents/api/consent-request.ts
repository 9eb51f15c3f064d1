import * as v from 'valibot'
import { choiceField, choicesField } from '../../http/fields/choice.ts'
import { dateTimeField, isDayAlone } from '../../http/fields/date-time.ts'
import { blankAsNull, Dictionary, field, isDictionary, REQUIRED, type Refusal, refuseFields } from '../../http/fields/field.ts'
import { idField } from '../../http/fields/number.ts'
import { onlyFields } from '../../http/fields/only-fields.ts'
import { phoneField } from '../../http/fields/phone.ts'
import { charField } from '../../http/fields/text.ts'
import { secureUrlField } from '../../http/fields/url.ts'
import { MINUTE } from '../../platform/values/durations.ts'
import { formatInstant } from '../../platform/values/time.ts'
import type { Instant } from '../../platform/values/values.ts'
import { CHANNELS } from '../../stops/compliance.ts'
import { CONSENT_TYPES, type ConsentType } from '../consent.ts'
import type { CONSENT_FIELD_NAMES } from '../rules/field-names.ts'

/** Characters. */
export const LONGEST_PROOF = 2000
export const LONGEST_HOW = 1000
const LONGEST_NAME = 255

const text = (maxLength: number) => v.optional(blankAsNull(charField({ maxLength })), null)

const source = v.pipe(text(LONGEST_NAME), v.description('Where it was received, such as a web form or a call.'))

const consentEntries = {
  type: v.pipe(
    choiceField(CONSENT_TYPES),
    v.description('`written_seller` is a written consent that names the seller. `none` records that nobody consented.'),
  ),
  time: v.pipe(dateTimeField(), v.description('When the person gave it.')),
  proof_text: v.pipe(text(LONGEST_PROOF), v.description('The words that the person agreed to.')),
  proof_url: v.pipe(v.optional(blankAsNull(secureUrlField()), null), v.description('Where the proof is kept.')),
  seller: v.pipe(text(LONGEST_NAME), v.description('The seller that the consent names. `written_seller` requires it.')),
  source,
} satisfies Record<(typeof CONSENT_FIELD_NAMES)[number], v.GenericSchema>

const namesSeller = (type: ConsentType, seller: string | null): boolean => type !== 'written_seller' || seller !== null

/** A consent that is sent with a lead. */
export const GivenConsent = v.pipe(
  onlyFields(consentEntries),
  v.forward(
    v.check(({ type, seller }) => namesSeller(type, seller), REQUIRED),
    ['seller'],
  ),
)
export type GivenConsent = v.InferOutput<typeof GivenConsent>

/** Whether a value under the name `consent` in the body of a lead is a consent. Any other value is metadata, as it was before. */
export const isSentConsent = (value: unknown): boolean => isDictionary(value) && Object.hasOwn(value, 'type')

/** In the body of a lead. */
export const consentField = () =>
  field(
    (value): GivenConsent | undefined | Refusal => {
      if (!isSentConsent(value)) return undefined
      const { success, output, issues } = v.safeParse(GivenConsent, value)
      return success ? output : refuseFields(issues)
    },
    { $ref: '#/components/schemas/GivenConsent' },
  )

/** A consent that a person gave for a phone number. */
export const GiveConsent = v.pipe(
  onlyFields({
    phone_number: phoneField(),
    ...consentEntries,
    lead: v.pipe(v.optional(blankAsNull(idField()), null), v.description('The lead that it belongs to.')),
  }),
  v.forward(
    v.check(({ type, seller }) => namesSeller(type, seller), REQUIRED),
    ['seller'],
  ),
)
export type GiveConsent = v.InferOutput<typeof GiveConsent>

/** A revocation of consent for a phone number. */
export const RevokeConsent = onlyFields({
  phone_number: phoneField(),
  how: v.pipe(text(LONGEST_HOW), v.description('How the person revoked it, in your words or theirs.')),
  time: v.pipe(
    v.optional(v.nullable(dateTimeField()), null),
    v.description('When the person revoked it. Null or left out: now. Today without a clock time: now. An earlier day: its end, in UTC.'),
  ),
  channels: v.pipe(v.optional(choicesField(CHANNELS), [...CHANNELS]), v.description('What is revoked. Left out: calls and text messages.')),
  source,
})
export type RevokeConsent = v.InferOutput<typeof RevokeConsent>

export interface SentRevocation extends RevokeConsent {
  /** Its time was sent as a day without a clock time. */
  readonly isDay: boolean
  /** Why its time cannot be read. */
  readonly wrongTime?: string | undefined
}

/** A revocation as it is sent. A time that cannot be read must not keep the number from being stopped. */
export const SentRevocation = v.pipe(
  Dictionary,
  v.rawTransform<Record<string, unknown>, SentRevocation>(({ dataset: { value }, addIssue, NEVER }) => {
    const read = v.safeParse(RevokeConsent, value)
    if (read.success) return { ...read.output, isDay: isDayAlone(value['time']) }
    const timeless = v.safeParse(RevokeConsent, { ...value, time: null })
    if (timeless.success) return { ...timeless.output, isDay: false, wrongTime: read.issues[0].message }
    for (const { message, path } of read.issues) addIssue({ message, path })
    return NEVER
  }),
)

/** How far the clock of a client may be ahead. */
const CLOCK_SKEW = 5 * MINUTE

/** The year of the federal law on calls, the TCPA. Nobody consented under it before. An earlier time is a slip, such as a year 1066. */
const EARLIEST = Date.UTC(1991, 0)

/** The message for a time that has not come yet, or that is too early; undefined for a time that may be recorded. */
export const whyNoTime = (time: Instant, now: Instant): string | undefined => {
  if (time < EARLIEST) return `This time is before 1991, the year of the law on consent to calls. You sent ${formatInstant(time)}.`
  return time <= now + CLOCK_SKEW
    ? undefined
    : `This time is in the future. You sent ${formatInstant(time)}. It is now ${formatInstant(now)}.`
}
