import type { OpsEnvironment } from './surroundings.ts'

export interface Output {
  /** The result, once: the document where `--json` is given, else the text. */
  show(document: unknown, text: () => string): void
  /** For people, before the result: what a decision is to be made on. */
  say(text: string): void
  /** A message or progress, for people: one line or several. */
  note(text: string): void
  /** Whether somebody sits there who can be asked. */
  readonly isAttended: boolean
  /** @returns whether the answer is yes: when nobody sits there, or whoever does breaks it off, it is not */
  confirm(question: string): Promise<boolean>
}

/** Ctrl-C and Ctrl-D, as the terminal tells them. */
const isBrokenOff = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError'

export const outputTo = ({ print, note, ask }: OpsEnvironment, json: boolean): Output => ({
  show: (document, text) => {
    const shown = json ? JSON.stringify(document, null, 2) : text()
    if (shown !== '') print(`${shown}\n`)
  },
  say: (text) => void (json ? note : print)(`${text}\n`),
  note: (text) => void note(`${text}\n`),
  isAttended: ask !== undefined,
  confirm: async (question) => {
    try {
      return ask !== undefined && /^y(es)?$/i.test((await ask(`${question} [y/N] `)).trim())
    } catch (error) {
      if (!isBrokenOff(error)) throw error
      // The cursor stands behind the question.
      note('\n')
      return false
    }
  },
})

/** Columns under their names, as wide as what stands in them. Nothing at all: a sentence. */
export const table = (columns: readonly string[], rows: readonly (readonly (string | number)[])[], none: string): string => {
  if (rows.length === 0) return none
  const lines = [columns.map((name) => name.toUpperCase()), ...rows.map((row) => row.map(String))]
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** `1 lead`, `2 leads`. */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : several}`
