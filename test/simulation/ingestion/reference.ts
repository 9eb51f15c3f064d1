import { cellOf, END } from './csv-text.ts'
import type { Fields } from './people.ts'
import type { Row } from './rows.ts'

export interface Counts {
  rows: number
  created: number
  updated: number
  unchanged: number
  rejected: number
}

/** Escapes a cell that a spreadsheet would run as a formula. */
const defused = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

/** Computes the expected result of files, from what their makers say of each row. Independent of the service's code. */
export const startReference = () => {
  const leads = new Map<string, Fields>()

  const effectOf = (row: Row): 'created' | 'updated' | 'unchanged' | 'rejected' => {
    if (row.kind === 'bad') return 'rejected'
    const before = leads.get(row.id)
    leads.set(row.id, { ...before, ...row.fields })
    if (!before) return 'created'
    const known = new Map<string, string>(Object.entries(before))
    return Object.entries(row.fields).some(([name, value]) => known.get(name) !== value) ? 'updated' : 'unchanged'
  }

  return {
    /** The expected leads, by id. */
    leads,
    /** Starts a file. `take` adds its rows, one by one. `complaints`: CSV lines of rejected rows, without the header. */
    take: () => {
      const counts: Counts = { rows: 0, created: 0, updated: 0, unchanged: 0, rejected: 0 }
      const flaws = new Map<string, number>()
      const complaints: string[] = []
      let line = 2
      const take = (row: Row): void => {
        counts.rows++
        counts[effectOf(row)]++
        if (row.kind === 'bad') {
          flaws.set(row.flaw, (flaws.get(row.flaw) ?? 0) + 1)
          const { column, value, message } = row.complaint
          complaints.push([`${line}`, column, defused(value), message].map(cellOf).join(',') + END)
        }
        line += row.text.split('\n').length
      }
      return { take, counts, flaws, complaints }
    },
  }
}

export type Reference = ReturnType<typeof startReference>
export type Expected = Pick<ReturnType<Reference['take']>, 'counts' | 'flaws' | 'complaints'>
