import { TRIGGER_MEANINGS } from '#shared/platform/values/meanings.ts'
import type { Trigger } from '../../client/operations.ts'
import { texts } from '../texts.ts'

const STATUSES: ReadonlyMap<string, string> = new Map(Object.entries(texts.statuses))

/** A code of the API. A status has a name in the console. */
const named = (code: string) => STATUSES.get(code) ?? <code key={code}>{code}</code>

/** When a trigger fires, in the words of the reference of events. */
export const TriggerMeaning = ({ of }: { readonly of: Trigger }) => (
  <>{TRIGGER_MEANINGS[of].split('`').map((part, index) => (index % 2 === 0 ? part : named(part)))}</>
)
