import { count } from '../../reference/costs/quantities.ts'
import { counted, type Output, table } from '../output.ts'
import type { ExitCode } from '../runner.ts'
import type { Target } from '../target.ts'
import { demandOf, grownSettings, type Load } from './demand.ts'
import { QUOTAS, type Quota } from './quotas.ts'

interface Compared {
  readonly quota: Quota
  readonly needed: number
  readonly value: number | null
  readonly source: 'applied' | 'default' | 'documented' | null
  /** Null when the value is unknown. */
  readonly ok: boolean | null
  /** How to raise it; null when it is high enough. */
  readonly raise: string | null
}

type Value = Pick<Compared, 'value' | 'source'>

const UNKNOWN: Value = { value: null, source: null }

/** Quotas of an AWS account, and the limits that AWS documents. */
const valuesIn = async (note: Output['note']): Promise<(quota: Quota) => Value> => {
  const { accountQuotas } = await import('./account-quotas.ts')
  const codes = new Map<string, string[]>()
  for (const { service, code } of QUOTAS) if (code !== null) codes.set(service, [...(codes.get(service) ?? []), code])
  const values = await accountQuotas(codes, note)
  return (quota) => (quota.code === null ? { value: quota.value, source: 'documented' } : (values.get(quota.code) ?? UNKNOWN))
}

const remedyFor = (quota: Quota, needed: number, { region, profile }: Target): string => {
  if (quota.code === null) return quota.remedy
  const wanted = `--service-code ${quota.service} --quota-code ${quota.code} --desired-value ${needed}`
  const where = [...(region ? ['--region', region] : []), ...(profile ? ['--profile', profile] : [])]
  return ['aws service-quotas request-service-quota-increase', wanted, ...where].join(' ')
}

const resultOf = (ok: boolean | null): string => {
  if (ok === null) return 'UNKNOWN'
  return ok ? 'OK' : 'TOO LOW'
}

const COLUMNS = ['quota', 'code', 'value', 'needed', 'result', 'why']
const WITHOUT_ACCOUNT = ['quota', 'code', 'needed', 'why']

const tableOf = (compared: readonly Compared[], hasAccount: boolean): string =>
  table(
    hasAccount ? COLUMNS : WITHOUT_ACCOUNT,
    compared.map(({ quota, needed, value, source, ok }) => {
      const account = [value === null ? 'unknown' : `${count(value)} (${source})`, count(needed), resultOf(ok)]
      return [`${quota.title}: ${quota.name}`, quota.code ?? 'no code', ...(hasAccount ? account : [count(needed)]), quota.why]
    }),
    '',
  )

const loadText = ({ callsPerSecond, requestsPerSecond, eventsPerSecond, uploads }: Load): string => {
  const each = [counted(callsPerSecond, 'call'), `${counted(requestsPerSecond, 'request')} and ${counted(eventsPerSecond, 'event')}`]
  return `For the busiest second: ${each.join(', ')}, while ${counted(uploads, 'upload is', 'uploads are')} read.`
}

const settingsText = (settings: ReturnType<typeof grownSettings>): string =>
  settings.length === 0
    ? ''
    : [
        '\n\nThis load needs settings of the deployment above their defaults:',
        ...settings.map(({ name, default: usual, needed, problem }) => {
          const sentence = problem === null ? '' : `. It ${problem}: one deployment cannot carry this load.`
          return `  ${name}=${needed} (default ${usual})${sentence}`
        }),
      ].join('\n')

const raiseText = (low: readonly Compared[]): string =>
  low.length === 0
    ? ''
    : ['\n\nTo raise what is too low:', ...low.map(({ quota, raise }) => `  ${quota.code === null ? `${quota.name}: ` : ''}${raise}`)].join(
        '\n',
      )

/** Compares the quotas of the target's account with a load. @returns 1 when a quota is too low, or one deployment cannot carry the load */
export const showQuotas = async (load: Load, target: Target, output: Output): Promise<ExitCode> => {
  const hasAccount = target.target === 'aws'
  if (!hasAccount) output.note('A local service has no quotas. Add --target aws to compare with those of your account.')
  const demand = demandOf(load)
  const valueIn = hasAccount ? await valuesIn(output.note) : () => UNKNOWN
  const compared = QUOTAS.map((quota): Compared => {
    const needed = Math.ceil(quota.needed(demand))
    const { value, source } = valueIn(quota)
    const ok = value === null ? null : value >= needed
    return { quota, needed, value, source, ok, raise: ok === false ? remedyFor(quota, needed, target) : null }
  })
  const low = compared.filter(({ ok }) => ok === false)
  const settings = grownSettings(demand)
  const { callsPerSecond, requestsPerSecond, eventsPerSecond, uploads } = load
  output.show(
    {
      load: { calls_per_second: callsPerSecond, requests_per_second: requestsPerSecond, events_per_second: eventsPerSecond, uploads },
      quotas: compared.map(({ quota: { service, name, code, why }, ...rest }) => ({ service, name, code, why, ...rest })),
      settings,
    },
    () => `${loadText(load)}\n\n${tableOf(compared, hasAccount)}${settingsText(settings)}${raiseText(low)}`,
  )
  return low.length === 0 && settings.every(({ problem }) => problem === null) ? 0 : 1
}
