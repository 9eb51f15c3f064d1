/** Effect of a redrive on uploads with dead letters. */
export const REDRIVEN_UPLOADS =
  'A redrive resumes uploads that wait for their files. It also resumes uploads that failed because their file seemed to be missing.'

/** Effect on such uploads without a redrive. */
export const BEGUN_UPLOADS =
  'The sweep resumes uploads whose file was already being read. If these uploads make no progress, they fail with an error message.'
