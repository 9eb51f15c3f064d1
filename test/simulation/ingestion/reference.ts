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

/** What a spreadsheet would run is not to be run. */
const defused = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

/** What is to become of files whose rows are good or bad as their makers say: a few lines that know nothing of the service. */
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
    /** As they are to be in the end, by their ids. */
    leads,
    /** Takes a file's rows one after the other. `complaints`: the lines of the CSV of its rejected rows, its header aside. */
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
