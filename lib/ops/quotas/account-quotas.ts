import { listedQuotas, QUOTA_ATTEMPTS, type QuotaList } from '#shared/platform/account/quotas.ts'
import { OpsRefusal } from '../refusal.ts'

/** Value of a quota, and whether it is the account's own or AWS's default. */
export interface QuotaValue {
  readonly value: number
  readonly source: 'applied' | 'default'
}

const LISTS = { applied: 'ListServiceQuotas', default: 'ListAWSDefaultServiceQuotas' } as const

const refusalOf = (error: unknown, list: QuotaList, service: string): unknown => {
  if (!(error instanceof Error)) return error
  if (error.name === 'AccessDeniedException')
    return new OpsRefusal(
      `AWS refused to list the quotas of ${service}. Allow servicequotas:${list} to these credentials: the policy ServiceQuotasReadOnlyAccess of AWS includes it.`,
    )
  if (error.name === 'TooManyRequestsException')
    return new OpsRefusal(
      `AWS throttles the requests for quotas: it refused ${QUOTA_ATTEMPTS} attempts to list those of ${service}. Run the command again in a minute.`,
    )
  return error
}

/**
 * The account's values of quotas, by their codes. A quota that AWS does not list is missing.
 * @param codes of quotas, by their services
 * @throws OpsRefusal when the credentials may not read quotas, or AWS throttles the requests
 */
export const accountQuotas = async (
  codes: ReadonlyMap<string, readonly string[]>,
  note: (text: string) => void,
): Promise<ReadonlyMap<string, QuotaValue>> => {
  const values = new Map<string, QuotaValue>()
  const read = async (source: QuotaValue['source'], service: string, wanted: readonly string[]): Promise<void> => {
    const missing = new Set(wanted.filter((code) => !values.has(code)))
    if (missing.size === 0) return
    const found = await listedQuotas(LISTS[source], service, missing).catch((error: unknown) => {
      throw refusalOf(error, LISTS[source], service)
    })
    for (const { QuotaCode = '', Value, ErrorReason } of found) {
      if (ErrorReason)
        note(`Service Quotas could not read the account's value of ${QuotaCode} (${ErrorReason.ErrorCode}). Its default is shown instead.`)
      else if (Value !== undefined) values.set(QuotaCode, { value: Value, source })
    }
  }
  for (const [service, wanted] of codes) {
    await read('applied', service, wanted)
    await read('default', service, wanted)
  }
  return values
}
