export interface Key {
  readonly pk: string
  readonly sk: string
}

/** A part of a key. @throws Error when the text does not match: it is not the key of such a thing */
export const keyPart = (text: string, pattern: RegExp, thing: string): string => {
  const [, part] = pattern.exec(text) ?? []
  if (!part) throw new Error(`Not the key of ${thing}: ${text}`)
  return part
}

/** Shard of an id that is random and begins with hexadecimal digits. */
export const shardOf = (id: string, shards: number): number => Number.parseInt(id.slice(0, 2), 16) % shards
