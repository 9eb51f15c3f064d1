/** What JSON leaves as it is and queues refuse: they take the characters of XML. A lead's metadata may hold any. */
const REFUSED = /[\ufffe\uffff]/g

/** JSON that a queue takes, wherever it comes from. */
export const queueJson = (value: unknown): string =>
  JSON.stringify(value).replace(REFUSED, (character) => `\\u${character.charCodeAt(0).toString(16)}`)
