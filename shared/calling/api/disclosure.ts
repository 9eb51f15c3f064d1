import * as v from 'valibot'

/** The things that a law can demand a caller to say. An assistant gets them in this order. */
export const SAYINGS = ['automated_voice', 'name', 'company', 'purpose', 'callback_number', 'opt_out', 'recording'] as const
export type Saying = (typeof SAYINGS)[number]

/** The duty of a caller, by one law, to say something. */
export const DisclosureResponse = v.strictObject({
  jurisdiction: v.pipe(v.string(), v.description('`federal`, or the code of a state, district or territory.')),
  say: v.pipe(v.array(v.picklist(SAYINGS)), v.minLength(1), v.description('What must be said.')),
  within_seconds: v.pipe(
    v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1))),
    v.description('In how many seconds from the start of the conversation. Null: the law names no number.'),
  ),
  what: v.pipe(v.string(), v.description('The duty, in words.')),
  citations: v.pipe(v.array(v.string()), v.description('Where it is written.')),
})
export type Disclosure = v.InferOutput<typeof DisclosureResponse>

/** All disclosures of a call, as one. */
export interface MustSay {
  /** Each once, in the order of `SAYINGS`. */
  readonly say: readonly Saying[]
  /** The shortest time that a law names. Null: none does. */
  readonly within_seconds: number | null
}

/** The union of what must be said, and the shortest time for it. */
export const mustSay = (disclosures: readonly Pick<Disclosure, 'say' | 'within_seconds'>[]): MustSay => {
  const said = new Set(disclosures.flatMap(({ say }) => say))
  const times = disclosures.flatMap(({ within_seconds }) => within_seconds ?? [])
  return { say: SAYINGS.filter((one) => said.has(one)), within_seconds: times.length > 0 ? Math.min(...times) : null }
}
