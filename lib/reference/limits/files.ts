import { URL_LIFETIME } from '#shared/platform/bucket/bucket.ts'
import { MOST_TIME_FAILING } from '#shared/uploads/ingest/failures.ts'
import * as ingest from '#shared/uploads/ingest/ingest-upload.ts'
import { MOST_FILE_BYTES } from '#shared/uploads/ingest/open-file.ts'
import { HEAD_BYTES } from '#shared/uploads/rules/csv/open.ts'
import * as rows from '#shared/uploads/rules/csv/rows.ts'
import { LANE_BYTES, MOST_LANES } from '#shared/uploads/rules/lanes.ts'
import { VALUE_LIMIT } from '#shared/uploads/rules/report-csv.ts'
import { bytes, characters, count, time } from '../costs/quantities.ts'
import { type Limits, lengthOf } from './limit.ts'

export const fileLimits: Limits = {
  heading: 'Files of leads',
  limits: [
    ['File', bytes(MOST_FILE_BYTES), 'the upload fails'],
    ['Workers that read one file', `${MOST_LANES}, one for each ${bytes(LANE_BYTES)}`, 'each worker reads more rows'],
    ['Lanes of one user that are read at the same time, in all files', `${MOST_LANES}`, 'the others wait'],
    ['Rows that all files begin in a second', 'see `fileRowsPerSecond`', 'the others wait'],
    ['`source`', lengthOf('CreateUpload', 'source'), '400, which names the field'],
    ['`filename`', lengthOf('CreateUpload', 'filename'), '400, which names the field'],
    ['Header line', `within the first ${bytes(HEAD_BYTES)}`, 'the upload fails'],
    ['Cell', `${count(rows.CELL_LIMIT)} bytes`, 'the row is rejected'],
    ['Row', bytes(rows.RECORD_LIMIT), 'the row is rejected, and reading continues at the next line'],
    ['Value shown in the report of rejected rows', characters(VALUE_LIMIT), 'the rest is left out'],
    ['Signed URLs, to send a file and to get a report', `valid for ${time(URL_LIFETIME)}`, 'request another URL'],
    ['Attempts to process the same rows', count(ingest.MOST_TRIES), 'the upload fails'],
    ['Attempts while errors are transient: a service is down, or throttles', `for ${time(MOST_TIME_FAILING)}`, 'the upload fails'],
  ],
}
