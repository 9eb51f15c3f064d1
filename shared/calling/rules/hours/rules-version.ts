import { DATA_VERSION, FEDERAL, JURISDICTIONS } from '../rules.ts'

const isOfData = (rule: string): boolean => rule === FEDERAL.rule || JURISDICTIONS.has(rule)

/**
 * Names of rules as verdicts cite them, each once. Rules from the calling-rules data come first, with the version of that data. Rules
 * that an account or a deployment has set have no version.
 */
export const versioned = (rules: readonly string[]): string => {
  const { data = [], settings = [] } = Object.groupBy(new Set(rules), (rule) => (isOfData(rule) ? 'data' : 'settings'))
  return [...(data.length > 0 ? [`${data.join(', ')} (calling rules of ${DATA_VERSION})`] : []), ...settings].join(', ')
}
