import type { Call } from './calls.ts'
import type { Excuse } from './excuses.ts'
import type { FunctionGrants, Grant } from './grants.ts'

/**
 * `used`: allowed and seen. `Lambda`: allowed because Lambda itself needs it. `excused`: allowed and not seen, with a reason. `surplus`:
 * allowed and not seen. `missing`: seen and not allowed.
 */
export type Verdict = 'used' | 'Lambda' | 'excused' | 'surplus' | 'missing'

export interface Finding {
  readonly name: string
  readonly action: string
  readonly resource: string
  /** Partitions, or keys of the encryption context. */
  readonly limit: string
  readonly verdict: Verdict
  readonly reason: string
}

const covers = (grant: Grant, call: Call): boolean =>
  grant.action === call.action &&
  grant.resource === call.resource &&
  (grant.partitions === undefined || grant.partitions.includes(`${call.partition}`)) &&
  (grant.context === undefined || grant.context === call.context)

const isLimited = ({ partitions, context }: Grant): boolean => partitions !== undefined || context !== undefined

const limitOf = ({ partitions, context }: Grant): string => partitions?.map((partition) => `${partition}#`).join(' ') ?? context ?? ''

/** The last part of an ARN. */
const short = (resource: string): string => resource.split(':').slice(5).join(':')

const isOf = ({ action, functions, resource }: Excuse, finding: Pick<Finding, 'name' | 'action' | 'resource'>): boolean =>
  action === finding.action && functions.includes(finding.name) && finding.resource.startsWith(resource)

/** Functions that an excuse names, but which lack the permission that it excuses. */
export const groundless = (excuses: readonly Excuse[], findings: readonly Finding[]): readonly string[] =>
  excuses.flatMap((excuse) =>
    excuse.functions
      .filter((name) => !findings.some((finding) => finding.name === name && finding.verdict !== 'missing' && isOf(excuse, finding)))
      .map((name) => `${name}: ${excuse.action} on ${excuse.resource}…`),
  )

/** Compares a function's permissions with its calls. A call counts for the narrowest permission that covers it. */
export const compare = ({ name, grants }: FunctionGrants, calls: readonly Call[], excuses: readonly Excuse[]): readonly Finding[] => {
  const byWidth = grants.toSorted((one, other) => Number(isLimited(other)) - Number(isLimited(one)))
  const used = new Set<Grant>()
  const missing: Finding[] = []
  for (const call of calls) {
    const grant = byWidth.find((one) => covers(one, call))
    if (grant) used.add(grant)
    else {
      const { action, resource, partition, context } = call
      missing.push({ name, action, resource: short(resource), limit: partition ?? context ?? '', verdict: 'missing', reason: '' })
    }
  }
  const findings = grants.map((grant): Finding => {
    const { action, resource, byLambda } = grant
    const common = { name, action, resource: short(resource), limit: limitOf(grant) }
    if (used.has(grant)) return { ...common, verdict: 'used', reason: '' }
    if (byLambda) return { ...common, verdict: 'Lambda', reason: '' }
    const excuse = excuses.find((one) => isOf(one, common))
    return { ...common, verdict: excuse ? 'excused' : 'surplus', reason: excuse?.reason ?? '' }
  })
  return [...findings, ...missing]
}
