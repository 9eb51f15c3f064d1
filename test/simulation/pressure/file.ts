import { COLUMNS, END, rowText } from '../ingestion/csv-text.ts'
import { personOf } from './people.ts'

const FIRST_PHONE = 2_000_000

const rowOf = (number: number): string => {
  const { first_name, last_name, phone_number, email, us_state, lead_source } = personOf(FIRST_PHONE, number)
  return rowText([`L-${number}`, first_name, last_name, phone_number, email, us_state, '96813', lead_source, '']) + END
}

/** A file of so many new leads. */
export const fileOf = (rows: number): Buffer =>
  Buffer.from([COLUMNS.join(',') + END, ...Array.from({ length: rows }, (_, number) => rowOf(number))].join(''))
