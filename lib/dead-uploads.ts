/** What becomes of uploads that have dead letters: by a redrive. */
export const REDRIVEN_UPLOADS = 'A redrive resumes the uploads that wait for their files, or failed as if none had been sent.'

/** And without one. */
export const BEGUN_UPLOADS =
  'Those whose files had begun to be read are resumed by the sweep; where they get no further, they fail with a sentence.'
