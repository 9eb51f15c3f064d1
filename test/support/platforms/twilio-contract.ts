import { createHmac } from 'node:crypto'
import { isPrivateUrl } from '#shared/platform/safe-fetch/public-addresses.ts'
import type { Reply } from './emulator.ts'

/** The documented parameters of the request that creates a call. */
const PARAMETERS =
  'To From Url Twiml ApplicationSid Method FallbackUrl FallbackMethod StatusCallback StatusCallbackEvent StatusCallbackMethod SendDigits Timeout TimeLimit MachineDetection MachineDetectionTimeout MachineDetectionSpeechThreshold MachineDetectionSpeechEndThreshold MachineDetectionSilenceTimeout AsyncAmd AsyncAmdStatusCallback AsyncAmdStatusCallbackMethod Record CallerId CallReason Byoc CallToken'.split(
    ' ',
  )

export const twilioProblem = (status: number, code: number, message: string): Reply => ({
  status,
  body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
})

/** As documented: the URL and the sorted parameters, keyed by the auth token. */
export const signTwilio = (authToken: string, url: string, form: URLSearchParams): string => {
  const text = [...form].sort(([one], [other]) => (one < other ? -1 : 1)).reduce((all, [name, value]) => all + name + value, url)
  return createHmac('sha1', authToken).update(text, 'utf8').digest('base64')
}

interface TwilioRules {
  /** Numbers that the account may call from. */
  readonly callers: readonly string[]
  /** Numbers that a trial account may call; null: all. */
  readonly callable: readonly string[] | null
  /** Whether callback URLs have to be public, as Twilio documents. Tests receive callbacks on this machine. */
  readonly isOnInternet: boolean
}

const isPublic = (url: string | null): boolean => url === null || (URL.canParse(url) && !isPrivateUrl(new URL(url)))

/** The answer to a request for a call that Twilio refuses. */
export const twilioRefusal = (form: URLSearchParams, { callers, callable, isOnInternet }: TwilioRules): Reply | undefined => {
  const unknown = [...form.keys()].find((name) => !PARAMETERS.includes(name))
  if (unknown) return twilioProblem(400, 20001, `Unknown parameter ${unknown}`)
  const [to, from] = [form.get('To'), form.get('From')]
  if (!to) return twilioProblem(400, 21201, "No 'To' number is specified")
  if (!from) return twilioProblem(400, 21213, "No 'From' number is specified")
  if (!form.has('Url') && !form.has('Twiml') && !form.has('ApplicationSid')) return twilioProblem(400, 21205, 'Url parameter is required')
  const url = form.get('Url')
  if (url !== null && !(URL.canParse(url) && /^https?:/.test(url))) return twilioProblem(400, 21205, `Url is not a valid URL: ${url}`)
  const callbacks = ['StatusCallback', 'AsyncAmdStatusCallback'].map((name) => form.get(name))
  if (isOnInternet && !callbacks.every(isPublic)) return twilioProblem(400, 21609, "Invalid 'StatusCallback': it is not publicly reachable")
  if (!/^\+[1-9]\d{6,14}$/.test(to)) return twilioProblem(400, 21211, `The phone number you are attempting to call, ${to}, is not valid.`)
  if (!callers.includes(from))
    return twilioProblem(400, 21210, `The source phone number provided, ${from}, is not yet verified for your account.`)
  if (callable && !callable.includes(to))
    return twilioProblem(400, 21219, `The number ${to} is unverified. Trial accounts may only make calls to verified numbers.`)
  return undefined
}
