/** A destination with its placeholders filled in, or why there is none. */
export type ResolvedUrl = { readonly url: string } | { readonly error: string }

const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g

const child = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Object.entries(value).find(([name]) => name === key)?.[1] : undefined

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The host as the template spells it, user name and port aside; undefined when the template is no absolute URL. */
const hostOf = (template: string): string | undefined => {
  const [, authority] = /^[^/?#\\]+:\/\/([^/?#\\]*)/.exec(template) ?? []
  return authority && /^(?:.*@)?(\[[^\]]*\]|[^:]*)(?::.*)?$/.exec(authority)?.[1]
}

const parse = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)

/**
 * Fills `{{a.b}}` from the payload, percent-encoded; what the payload lacks becomes the empty string. Lead data comes from
 * third parties and must not choose who receives it: the host has to be literal, and to be the one that the request goes to.
 */
export const resolveUrl = (template: string, payload: unknown): ResolvedUrl => {
  const host = hostOf(template)
  if (!host || host.includes('{{')) return { error: 'The host of the URL must not depend on a placeholder.' }
  const text = template.replace(PLACEHOLDER, (_, path: string) =>
    encodeURIComponent(textOf(path.split('.').reduce(child, payload)).toWellFormed()),
  )
  const url = parse(text)
  if (!url) return { error: 'With its placeholders filled in, the URL is not valid.' }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { error: 'The URL must be of the scheme http or https.' }
  if (url.hostname !== parse(`${url.protocol}//${host}`)?.hostname) return { error: 'A placeholder changed the host of the URL.' }
  return { url: url.href }
}
