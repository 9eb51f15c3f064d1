import {
  paginateListAWSDefaultServiceQuotas,
  paginateListServiceQuotas,
  type ServiceQuota,
  ServiceQuotasClient,
} from '@aws-sdk/client-service-quotas'

/** Service Quotas accepts few requests a second. */
export const QUOTA_ATTEMPTS = 5

const LISTS = { ListServiceQuotas: paginateListServiceQuotas, ListAWSDefaultServiceQuotas: paginateListAWSDefaultServiceQuotas } as const

/** Operations of Service Quotas: for the values of the account, and for those that every account has at first. */
export type QuotaList = keyof typeof LISTS

/** The wanted quotas of a service. Reads no page after the last of them. */
export const listedQuotas = async (list: QuotaList, service: string, codes: ReadonlySet<string>): Promise<readonly ServiceQuota[]> => {
  const client = new ServiceQuotasClient({ maxAttempts: QUOTA_ATTEMPTS })
  const found: ServiceQuota[] = []
  for await (const { Quotas = [] } of LISTS[list]({ client }, { ServiceCode: service })) {
    found.push(...Quotas.filter(({ QuotaCode = '' }) => codes.has(QuotaCode)))
    if (found.length >= codes.size) break
  }
  return found
}
