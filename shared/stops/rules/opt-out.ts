/** Words with which a person opts out of texts: 47 CFR 64.1200(a)(10), and others that carriers accept. */
const OPT_OUTS = new Set(['stop', 'stopall', 'quit', 'end', 'revoke', 'optout', 'cancel', 'unsubscribe'])

/** Whether a text message opts out: exactly one of the words, ignoring case and everything but letters. */
export const isOptOut = (body: string): boolean => OPT_OUTS.has(body.toLowerCase().replace(/[^a-z]+/g, ''))
