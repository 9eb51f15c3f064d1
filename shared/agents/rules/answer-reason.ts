import type { Reason } from '../platforms/adapter.ts'

/** Hides long digit sequences, so that no message shows the number that a platform was asked to call. */
export const withoutNumbers = (text: string): string => text.replace(/\d{7,}/g, '…')

/** The reason with the platform's own words, which may name a person: for the owner of the call only. */
export const reasonForCall = ({ reason, words }: Reason): string =>
  words ? `${reason.replace(/\.$/, '')}: ${withoutNumbers(words)}` : reason
