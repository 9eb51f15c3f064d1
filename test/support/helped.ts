import { expect } from '@jest/globals'

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** A message that clients parse. ` …` in it stands for the sentences that help people, which follow the words of the message. */
export const helped = (text: string) => expect.stringMatching(new RegExp(`^${text.split(' …').map(escaped).join(' \\S.*')}$`, 's'))
