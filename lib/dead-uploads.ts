/** Effect of a redrive on uploads with dead letters. */
export const REDRIVEN_UPLOADS = 'A redrive resumes the uploads that wait for their files, or failed as if none had been sent.'

/** Effect on such uploads without a redrive. */
export const BEGUN_UPLOADS =
  'Those whose files had begun to be read are resumed by the sweep; where they get no further, they fail with a sentence.'
