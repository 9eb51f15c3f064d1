import type { OpsEnvironment } from './surroundings.ts'

export interface Output {
  /** Prints the result, once: the document with `--json`, else the text. */
  show(document: unknown, text: () => string): void
  /** Prints one of several results, as it comes: a document in one line with `--json`, else the text. */
  line(document: unknown, text: string): void
  /** Prints what the operator needs for a decision, before the result. */
  say(text: string): void
  /** Prints a message or progress for people, in one or more lines. */
  note(text: string): void
  /** Whether an operator can answer questions. */
  readonly isAttended: boolean
  /**
   * @param word must be typed instead of a yes
   * @returns true for a yes; false also when nobody can answer, or the operator aborts
   */
  confirm(question: string, word?: string): Promise<boolean>
}

/** Ctrl-C or Ctrl-D at the prompt. */
const isBrokenOff = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError'

export const outputTo = ({ print, note, ask }: OpsEnvironment, json: boolean): Output => ({
  show: (document, text) => {
    const shown = json ? JSON.stringify(document, null, 2) : text()
    if (shown !== '') print(`${shown}\n`)
  },
  line: (document, text) => void print(`${json ? JSON.stringify(document) : text}\n`),
  say: (text) => void (json ? note : print)(`${text}\n`),
  note: (text) => void note(`${text}\n`),
  isAttended: ask !== undefined,
  confirm: async (question, word) => {
    try {
      const reply = (await ask?.(`${question} ${word === undefined ? '[y/N]' : `Type "${word}" for yes:`} `))?.trim() ?? ''
      return word === undefined ? /^y(es)?$/i.test(reply) : reply === word
    } catch (error) {
      if (!isBrokenOff(error)) throw error
      // The cursor is still on the line of the question.
      note('\n')
      return false
    }
  },
})

/** A table with column names, aligned to the widest cell. Without rows: the sentence `none`. */
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

/** Without control characters, and not blank. */
export const ONE_LINE = /^(?!\s*$)\P{Cc}+$/u
