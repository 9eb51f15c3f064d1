import { fitsMetadata } from '../../schema/fields/metadata.ts'
import type { Lead } from '../../schema/lead.ts'
import type { Instant } from '../../schema/values.ts'

/** What became of data that an agent collected. */
export type Collected = { readonly lead: Lead | undefined; readonly isTooLarge: boolean }

/** A key may be called `constructor` or `__proto__`: only what is the map's own counts. */
const own = <T>(map: Readonly<Record<string, T>>, key: string): T | undefined => (Object.hasOwn(map, key) ? map[key] : undefined)

/**
 * The lead with what was collected in a call at `at` put into its metadata, key by key; a key that was collected later keeps its
 * value. `lead` is undefined when nothing changes, also because the metadata would grow beyond its limits: that must not keep
 * the call's outcome from being taken up.
 */
export const withCollected = (lead: Lead, collected: Readonly<Record<string, unknown>>, at: Instant, now: Instant): Collected => {
  const news = Object.entries(collected).filter(([key]) => (own(lead.collected_times, key) ?? 0) < at)
  const differing = news.filter(([key, value]) => JSON.stringify(own(lead.metadata, key)) !== JSON.stringify(value))
  if (news.length === 0) return { lead: undefined, isTooLarge: false }
  const metadata = { ...lead.metadata, ...Object.fromEntries(news) }
  if (!fitsMetadata(metadata)) return { lead: undefined, isTooLarge: true }
  const collected_times = { ...lead.collected_times, ...Object.fromEntries(news.map(([key]) => [key, at])) }
  const cause = differing.length > 0 ? 'collect' : 'outcome'
  return { lead: { ...lead, cause, metadata, collected_times, modified_time: now }, isTooLarge: false }
}
