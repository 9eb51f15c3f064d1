/** Effect of a redrive on uploads with dead letters. */
export const REDRIVEN_UPLOADS =
  'A redrive resumes the uploads that wait for their files, and those that failed as if no file had been sent.'

/** Effect on such uploads without a redrive. */
export const BEGUN_UPLOADS =
  'The sweep resumes uploads whose file was already being read. Without progress, they fail with an error message.'
