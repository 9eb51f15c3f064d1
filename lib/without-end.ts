/** The text without this character at its end, however often it is repeated. A pattern would take quadratic time. */
export const withoutEnd = (text: string, character: string): string => {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end--
  return text.slice(0, end)
}
