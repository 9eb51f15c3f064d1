import { isPrivateUrl } from '#shared/platform/safe-fetch/public-addresses.ts'

/** The origin of a public https address. @returns null when the text is no such address, or names more than an origin */
export const publicOrigin = (text: string | undefined): string | null | undefined => {
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && url.protocol === 'https:' && url.href === `${url.origin}/` && !isPrivateUrl(url) ? url.origin : null
}
