/** Shorter ones stand in any text by chance, and are no secrets. */
const SHORTEST = 4
const REMOVED = '[removed]'

/** Header values, and the words of which they consist: the token of `Bearer …`. The longest first. */
const secretsOf = (headers: Readonly<Record<string, string>>): readonly string[] =>
  [...new Set(Object.values(headers).flatMap((value) => [value, ...value.split(' ')]))]
    .filter((text) => text.length >= SHORTEST)
    .sort((a, b) => b.length - a.length)

/** An answer without the values of headers that it repeats: destinations echo what they get, and the log of deliveries is read by many. */
export const redact = (text: string, headers: Readonly<Record<string, string>>): string =>
  secretsOf(headers).reduce((rest, secret) => rest.replaceAll(secret, REMOVED), text)
