import { guarded } from '#shared/uploads/rules/formula-guard.ts'

export type RecordCell = string | number | boolean | null

/** Numbers in E.164 begin with a sign of formulas, but are none. */
const NUMBER = /^\+\d{1,15}$/

const cellText = (cell: RecordCell): string => {
  const text = cell === null ? '' : String(cell)
  const shown = NUMBER.test(text) ? text : guarded(text)
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown
}

/** A line of CSV with its line end. No spreadsheet runs a cell as a formula: such a cell begins with an apostrophe. */
export const csvLine = (cells: readonly RecordCell[]): string => `${cells.map(cellText).join(',')}\r\n`
