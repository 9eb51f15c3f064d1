/**
 * Characters that JSON leaves unescaped and queues refuse, because they accept only the characters of XML. A lead's metadata may hold any.
 */
const REFUSED = /[\ufffe\uffff]/g

/** JSON that queues accept, whatever the value holds. */
export const queueJson = (value: unknown): string =>
  JSON.stringify(value).replace(REFUSED, (character) => `\\u${character.charCodeAt(0).toString(16)}`)
