import { listLitigators } from '#shared/stops/litigator-store.ts'

export const listLitigator = (phoneNumber: string): Promise<void> => listLitigators([phoneNumber])
