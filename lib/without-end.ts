/** The text without a character at its end, however often it stands there. A pattern would take time with the square of the length. */
export const withoutEnd = (text: string, character: string): string => {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end--
  return text.slice(0, end)
}
