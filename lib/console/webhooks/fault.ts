/** Where the first mistake of a condition is. */
interface Fault {
  /** From 1. */
  readonly line: number
  /** From 1, in characters of the line. */
  readonly column: number
  /** The wrong character as a selection of a text field. At the end of the text, both are its length. */
  readonly start: number
  readonly end: number
  /** Some text around it, in which every character can be seen. */
  readonly before: string
  readonly mark: string
  readonly after: string
}

/** No text from outside stands before the position in the messages of the API. */
const POSITION = / at position (\d{1,6})[.:]/

/** Characters that are shown before and after the mistake. */
const AROUND = 40

/** A space stands where the end of the text is the mistake. */
const END = '\u00A0'

/** Characters without a shape are often the mistake, and some would turn the text around. */
const visible = (characters: readonly string[]): string => characters.join('').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD')

/** Finds the mistake that the API names in a condition, which has no blanks around it. */
export const faultIn = (condition: string, errors: readonly string[]): Fault | undefined => {
  const position = Number(errors.map((text) => POSITION.exec(text)?.[1]).find((found) => found !== undefined))
  const characters = [...condition]
  if (!(position >= 1 && position <= characters.length + 1)) return undefined
  const at = position - 1
  const earlier = characters.slice(0, at)
  const wrong = characters.slice(at, position)
  const start = earlier.join('').length
  const lines = earlier.join('').split('\n')
  return {
    line: lines.length,
    column: [...(lines.at(-1) ?? '')].length + 1,
    start,
    end: start + wrong.join('').length,
    before: `${at > AROUND ? '…' : ''}${visible(earlier.slice(-AROUND))}`,
    mark: visible(wrong) || END,
    after: `${visible(characters.slice(position, position + AROUND))}${characters.length > position + AROUND ? '…' : ''}`,
  }
}
