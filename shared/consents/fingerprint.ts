import { createHash } from 'node:crypto'
import type { Instant } from '../platform/values/values.ts'
import type { GivenConsent, RevokeConsent } from './api/consent-request.ts'

const hashOf = (content: readonly unknown[]): string => createHash('sha256').update(JSON.stringify(content)).digest('base64url')

/** The same for each consent with the same content: a consent that is sent again makes no second record. */
export const fingerprintOf = ({ type, time, proof_text, proof_url, seller, source }: GivenConsent): string =>
  hashOf(['given', type, time, proof_text, proof_url, seller, source])

/** As `fingerprintOf`, for a revocation. */
export const revocationFingerprint = ({ how, time, channels, source }: RevokeConsent): string =>
  hashOf(['revoked', how, time, channels.toSorted(), source])

/** The same for each report of one stop in a call. */
export const askedFingerprint = (callId: string, means: string, words: string | null, time: Instant): string =>
  hashOf(['asked', callId, means, words, time])
