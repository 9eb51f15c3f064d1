/** The start of a text, with `…` when the rest is cut off. Text that clients send may be long, and messages repeat it. */
export const cutText = (text: string, most: number): string =>
  // A cut inside a character would leave half a surrogate pair.
  text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text
