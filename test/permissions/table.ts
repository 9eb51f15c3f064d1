import type { Finding, Verdict } from './compare.ts'

const WORDS: Readonly<Record<Verdict, string>> = {
  used: 'allowed and seen',
  Lambda: 'allowed, for Lambda itself',
  excused: 'allowed, not seen',
  surplus: 'SURPLUS: allowed, not seen',
  missing: 'MISSING: seen, not allowed',
}

const line = ({ action, resource, limit, verdict, reason }: Finding, width: number): string => {
  const what = `${action} on ${resource}${limit === '' ? '' : ` [${limit}]`}`
  return `  ${what.padEnd(width)}  ${WORDS[verdict]}${reason === '' ? '' : `: ${reason}`}`
}

/** The findings by function as text, with the number of each kind. */
export const tableOf = (findings: readonly Finding[]): string => {
  const width = Math.max(...findings.map(({ action, resource, limit }) => action.length + resource.length + limit.length)) + 7
  const names = [...new Set(findings.map(({ name }) => name))].toSorted()
  const functions = names.map((name) => [name, ...findings.filter((one) => one.name === name).map((one) => line(one, width))].join('\n'))
  const count = (verdict: Verdict) => findings.filter((one) => one.verdict === verdict).length
  const totals = Object.entries(WORDS).map(([verdict, words]) => `${words}: ${findings.filter((one) => one.verdict === verdict).length}`)
  return `${functions.join('\n\n')}\n\n${names.length} functions. ${totals.join('; ')}.\n${count('surplus') + count('missing') === 0 ? 'Each may do what it does and nothing else.' : 'These do not agree.'}\n`
}
