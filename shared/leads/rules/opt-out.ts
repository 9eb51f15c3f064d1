/** What a person texts to have no more texts: 47 CFR 64.1200(a)(10), and what carriers take for the same. */
const OPT_OUTS = new Set(['stop', 'stopall', 'quit', 'end', 'revoke', 'optout', 'cancel', 'unsubscribe'])

/** Whether a text message asks for no more of them: one of the words for it and nothing else, however it is spelt. */
export const isOptOut = (body: string): boolean => OPT_OUTS.has(body.toLowerCase().replace(/[^a-z]+/g, ''))
