import type { Dial, Translation } from '#shared/agents/platforms/adapter.ts'

/** The instant at which the calls of these tests are placed. */
export const DIAL_TIME = Date.UTC(2026, 10, 20, 16)

export const CALLER = { number: '+15005550006', id: 'phone-1' }

/** A call to a number that ends in these digits. */
export const sampleDial = (receiver: string, lastFour: string, over: Partial<Dial> = {}): Dial => ({
  callId: `51-${lastFour}`,
  to: `+1212555${lastFour}`,
  from: CALLER,
  briefing: {},
  variables: { first_name: 'Ann', script: 'Ask whether the roof is theirs.' },
  callbackUrl: `${receiver}/api/agents/voice/events/?call=51-${lastFour}`,
  intentTime: DIAL_TIME,
  notAfter: DIAL_TIME + 30_000,
  longestSeconds: 600,
  ...over,
})

/** The outcome that translations lead to: a completion, or else what an end presumed. */
export const outcomeOfAll = (translations: readonly Translation[]): unknown => {
  const reports = translations.flatMap((translation) => translation.reports)
  const completed = reports.find(({ type }) => type === 'call.completed')
  if (completed) return completed.data?.['outcome']
  const ended = reports.find(({ type }) => type === 'call.ended')
  return ended && `presumed ${ended.data?.['presumed_outcome']}`
}

/** Answers to a dial that do not tell whether a phone rings. */
export const ODD_ANSWERS = [
  { status: 200, text: '' },
  { status: 200, text: '<html>Sign in</html>' },
  { status: 201, text: '{}' },
  { status: 200, text: '[]' },
  { status: 200, text: 'null' },
  { status: 200, text: `{"padding":"${'x'.repeat(10_000_000)}"}` },
  { status: 204, text: '' },
  { status: 301, text: '' },
  { status: 302, text: '<html>Moved</html>' },
  { status: 307, text: '' },
  { status: 408, text: '' },
  { status: 409, text: '{}' },
  { status: 500, text: '{"message":"Internal error"}' },
  { status: 502, text: '<html>Bad Gateway</html>' },
  { status: 503, text: '' },
  { status: 504, text: '' },
]
