import { expect } from '@jest/globals'

/** Metadata that fills a request. */
const LONG_METADATA = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`note_${index}`, 'x'.repeat(700)]))

/** A lead in a state that demands every disclosure. */
export const IN_CONNECTICUT = { us_state: 'CT', timezone: 'America/New_York', metadata: LONG_METADATA }

/** The variables of a call to such a lead. */
export const SAID_IN_CONNECTICUT = {
  must_say: 'name, company, purpose, callback_number, opt_out, recording',
  disclosures: expect.stringMatching(/^Give your name\. .* in the first 10 seconds of the conversation\.$/),
}
