export interface Key {
  readonly pk: string
  readonly sk: string
}

/** What a key tells. @throws Error when the text does not match, and so is no key of such a thing. */
export const keyPart = (text: string, pattern: RegExp, thing: string): string => {
  const [, part] = pattern.exec(text) ?? []
  if (!part) throw new Error(`Not the key of ${thing}: ${text}`)
  return part
}

/** One of so many, for ids that are random and begin with hexadecimal digits. */
export const shardOf = (id: string, shards: number): number => Number.parseInt(id.slice(0, 2), 16) % shards
