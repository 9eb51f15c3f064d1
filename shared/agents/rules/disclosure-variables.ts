import { type Disclosure, mustSay, type Saying } from '../../calling/api/disclosure.ts'

const SENTENCES: Readonly<Record<Saying, string>> = {
  automated_voice: 'Say that you are an automated voice and not a human.',
  name: 'Give your name.',
  company: 'Name the company on whose behalf you call.',
  purpose: 'Say why you call, and what you offer.',
  callback_number: 'Give a telephone number of the company.',
  opt_out: 'Offer the person a way to get no more calls.',
  recording: 'If the call is recorded, say so, and ask whether that is all right.',
}

/**
 * Variables for an assistant: `disclosures` has instructions, one sentence after another; `must_say` has the words of the open protocol,
 * with commas. They are short whatever the number of jurisdictions is.
 */
export const disclosureVariables = (disclosures: readonly Disclosure[]) => {
  const { say, within_seconds } = mustSay(disclosures)
  const when =
    within_seconds === null
      ? 'Say all of this at the beginning of the conversation.'
      : `Say all of this in the first ${within_seconds} seconds of the conversation.`
  return { disclosures: [...say.map((one) => SENTENCES[one]), when].join(' '), must_say: say.join(', ') }
}
