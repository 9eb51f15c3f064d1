import { callbackSender } from './callbacks.ts'
import { type Answer, type Emulator, listen, type Reply, type Rung, type Seen } from './emulator.ts'
import { twilioProblem as problem, signTwilio, twilioRefusal } from './twilio-contract.ts'

/** How a call goes. Without an end it stays as it is until `proceed` or a cancel. */
export interface TwilioScript {
  readonly end?: 'completed' | 'busy' | 'no-answer' | 'failed' | 'canceled'
  /** Stays there: it waits, it rings, or somebody talks. */
  readonly stays?: 'queued' | 'ringing' | 'in-progress'
  readonly answeredBy?: string
  readonly sip?: string
  /** The final callback, or only the record of the call, tells who answered. */
  readonly verdictAtEnd?: boolean
}

/** By the last four digits of the number. Other numbers are answered by a person. */
const TWILIO_SCRIPTS: Readonly<Record<string, TwilioScript>> = {
  '0002': { end: 'no-answer' },
  '0003': { end: 'completed', answeredBy: 'machine_start', verdictAtEnd: true },
  '0004': { end: 'busy' },
  '0005': { end: 'failed', sip: '404' },
  '0006': { end: 'failed', sip: '503' },
  '0007': { end: 'completed', answeredBy: 'machine_start' },
  '0008': { stays: 'ringing' },
  '0009': { stays: 'in-progress', answeredBy: 'human' },
  '0010': { end: 'canceled' },
  '0011': { stays: 'queued' },
}

export interface TwilioOptions {
  readonly accountSid: string
  readonly authToken: string
  /** Numbers of the account. */
  readonly numbers: readonly string[]
  readonly numbersWithoutVoice?: readonly string[]
  readonly verifiedCallerIds?: readonly string[]
  readonly accountStatus?: 'active' | 'suspended' | 'closed'
  readonly accountType?: 'Full' | 'Trial'
  readonly script?: (to: string) => TwilioScript | undefined
  readonly now?: () => number
  /** Refuses callback URLs that are not public. */
  readonly isOnInternet?: boolean
}

export interface TwilioEmulator extends Emulator {
  /** The answer to every reading request. `none`: the usual one. */
  readFault: 'none' | Reply
  /** Replaces the answer to every request to change a call. */
  changeFault: 'none' | Reply
  /** Runs once, after the next answer to a reading request. */
  afterRead: (() => void) | undefined
  /** Lets a call that stays in a state go on to its answer or its end. */
  readonly proceed: (sid: string, to: NonNullable<TwilioScript['end']> | 'in-progress') => void
}

interface TwilioRecord {
  readonly sid: string
  readonly to: string
  readonly from: string
  readonly script: TwilioScript
  readonly form: URLSearchParams
  readonly created: number
  ended: number
  status: string
  sequence: number
}

const rfc2822 = (time: number): string => new Date(time).toUTCString().replace('GMT', '+0000')

export const startTwilioEmulator = async (options: TwilioOptions): Promise<TwilioEmulator> => {
  const { accountSid, authToken, numbers, numbersWithoutVoice = [], verifiedCallerIds = [], now = Date.now, isOnInternet = false } = options
  const isTrial = options.accountType === 'Trial'
  const root = `/2010-04-01/Accounts/${accountSid}`
  const calls: TwilioRecord[] = []
  const rung: Rung[] = []
  const callbacks = callbackSender()

  const isOver = ({ status }: TwilioRecord): boolean => !['queued', 'ringing', 'in-progress'].includes(status)

  const shown = (call: TwilioRecord) => ({
    sid: call.sid,
    account_sid: accountSid,
    to: call.to,
    from: call.from,
    status: call.status,
    direction: 'outbound-api',
    api_version: '2010-04-01',
    parent_call_sid: null,
    date_created: rfc2822(call.created),
    start_time: call.status === 'queued' ? null : rfc2822(call.created),
    end_time: isOver(call) ? rfc2822(call.ended) : null,
    duration: isOver(call) ? (call.status === 'completed' ? '42' : '0') : null,
    answered_by: isOver(call) && call.status === 'completed' ? (call.script.answeredBy ?? 'human') : null,
    queue_time: '0',
    uri: `${root}/Calls/${call.sid}.json`,
  })

  const post = (call: TwilioRecord, url: string | null, more: Readonly<Record<string, string>>): void => {
    if (url === null) return
    const form = new URLSearchParams({ CallSid: call.sid, AccountSid: accountSid, ...more })
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signTwilio(authToken, url, form) }
    callbacks.send(emulator.callbackFault, url, headers, form.toString())
  }

  const enter = (call: TwilioRecord, event: string, status: string): void => {
    call.status = status === 'initiated' ? 'queued' : status
    if (event === 'completed') call.ended = Math.max(call.created + 42_000, now())
    const isWanted = (
      call.form.getAll('StatusCallbackEvent').length === 0 ? ['completed'] : call.form.getAll('StatusCallbackEvent')
    ).includes(event)
    const { answeredBy, verdictAtEnd, sip } = call.script
    if (!isWanted) return
    post(call, call.form.get('StatusCallback'), {
      CallStatus: status,
      To: call.to,
      From: call.from,
      ApiVersion: '2010-04-01',
      Direction: 'outbound-api',
      Timestamp: rfc2822(event === 'completed' ? call.ended : call.created),
      CallbackSource: 'call-progress-events',
      SequenceNumber: String(call.sequence++),
      ...(event === 'completed' && { CallDuration: status === 'completed' ? '42' : '0', Duration: '1' }),
      ...(event === 'completed' && sip && { SipResponseCode: sip }),
      ...(event === 'completed' && verdictAtEnd && answeredBy && { AnsweredBy: answeredBy }),
    })
  }

  const answered = (call: TwilioRecord): void => {
    enter(call, 'answered', 'in-progress')
    if (!call.form.has('MachineDetection')) return
    post(call, call.form.get('AsyncAmdStatusCallback'), { AnsweredBy: call.script.answeredBy ?? 'human', MachineDetectionDuration: '3100' })
  }

  const play = (call: TwilioRecord): void => {
    const { end = 'completed', stays } = call.script
    enter(call, 'initiated', 'initiated')
    if (stays === 'queued') return
    enter(call, 'ringing', 'ringing')
    if (stays === 'ringing') return
    if (stays || end === 'completed') answered(call)
    if (!stays) enter(call, 'completed', end)
  }

  const dial = (form: URLSearchParams): Reply | undefined => {
    const { dialFault } = emulator
    if (dialFault === 'lost-before') return undefined
    if (typeof dialFault === 'object') return dialFault
    const refusal = twilioRefusal(form, {
      callers: [...numbers, ...verifiedCallerIds],
      callable: isTrial ? verifiedCallerIds : null,
      isOnInternet,
    })
    if (refusal) return refusal
    const to = form.get('To') ?? ''
    const script = options.script?.(to) ?? TWILIO_SCRIPTS[to.slice(-4)] ?? { end: 'completed' as const, answeredBy: 'human' }
    const sid = `CA${String(calls.length + 1).padStart(32, '0')}`
    const fresh = { created: now(), ended: 0, status: 'queued', sequence: 0 }
    const call: TwilioRecord = { sid, to, from: form.get('From') ?? '', script, form, ...fresh }
    const reply = { status: 201, body: { ...shown(call), date_created: null } }
    calls.unshift(call)
    const callback = form.get('StatusCallback')
    rung.push({ platformCallId: sid, to, from: call.from, callId: callback && new URL(callback).searchParams.get('call') })
    play(call)
    return dialFault === 'lost-after' ? undefined : reply
  }

  const change = (call: TwilioRecord, form: URLSearchParams): Reply => {
    if (emulator.changeFault !== 'none') return emulator.changeFault
    const wanted = form.get('Status')
    if (isOver(call)) return problem(400, 21220, 'Call is not in-progress. Cannot redirect.')
    const isTaken = wanted === 'completed' || (wanted === 'canceled' && call.status !== 'in-progress')
    if (isTaken) enter(call, 'completed', wanted)
    return { status: 200, body: shown(call) }
  }

  const list = (query: URLSearchParams): Reply => {
    const size = Number(query.get('PageSize') ?? 50)
    const found = calls.filter(({ to, from }) => to === (query.get('To') ?? to) && from === (query.get('From') ?? from))
    const next_page_uri = found.length > size ? `${root}/Calls.json?PageSize=${size}&Page=1&PageToken=PA${found[size - 1]?.sid}` : null
    return { status: 200, body: { calls: found.slice(0, size).map(shown), next_page_uri, page: 0, page_size: size } }
  }

  const read = (path: string, query: URLSearchParams): Reply => {
    if (emulator.readFault !== 'none') return emulator.readFault
    const wanted = query.get('PhoneNumber')
    if (path === `${root}.json`) {
      return { status: 200, body: { sid: accountSid, status: options.accountStatus ?? 'active', type: options.accountType ?? 'Full' } }
    }
    if (path === `${root}/Calls.json`) return list(query)
    if (path === `${root}/IncomingPhoneNumbers.json`) {
      const owned = [...numbers, ...numbersWithoutVoice].filter((number) => number === (wanted ?? number))
      const incoming_phone_numbers = owned.map((phone_number) => ({
        phone_number,
        capabilities: { voice: !numbersWithoutVoice.includes(phone_number), sms: true, mms: true },
      }))
      return { status: 200, body: { incoming_phone_numbers, next_page_uri: null } }
    }
    if (path === `${root}/OutgoingCallerIds.json`) {
      const outgoing_caller_ids = verifiedCallerIds
        .filter((number) => number === (wanted ?? number))
        .map((phone_number) => ({ phone_number }))
      return { status: 200, body: { outgoing_caller_ids, next_page_uri: null } }
    }
    const call = calls.find(({ sid }) => path === `${root}/Calls/${sid}.json`)
    return call ? { status: 200, body: shown(call) } : problem(404, 20404, `The requested resource ${path} was not found`)
  }

  const answer: Answer = ({ method, path, headers, body }: Seen) => {
    const { pathname, searchParams } = new URL(path, 'http://twilio')
    const isOurs = headers.authorization === `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
    if (!isOurs || !pathname.startsWith(root)) return problem(401, 20003, 'Authenticate')
    if (options.accountStatus && options.accountStatus !== 'active' && method === 'POST') return problem(403, 20005, 'Account not active')
    if (method === 'GET') {
      const found = read(pathname, searchParams)
      emulator.afterRead?.()
      emulator.afterRead = undefined
      return found
    }
    if (headers['content-type'] !== 'application/x-www-form-urlencoded') return problem(400, 20001, 'The body is not a form')
    if (pathname === `${root}/Calls.json`) return dial(new URLSearchParams(body))
    const call = calls.find(({ sid }) => pathname === `${root}/Calls/${sid}.json`)
    return call ? change(call, new URLSearchParams(body)) : problem(404, 20404, `The requested resource ${pathname} was not found`)
  }

  const server = await listen((seen) => answer(seen))
  const emulator: TwilioEmulator = {
    url: server.url,
    rung,
    seen: server.seen,
    dialFault: 'none',
    callbackFault: 'none',
    readFault: 'none',
    changeFault: 'none',
    afterRead: undefined,
    settled: callbacks.settled,
    close: server.close,
    proceed: (sid, to) => {
      const call = calls.find((other) => other.sid === sid)
      if (!call) throw new Error(`There is no call ${sid}.`)
      if (isOver(call)) return
      if ((to === 'completed' || to === 'in-progress') && call.status !== 'in-progress') answered(call)
      if (to !== 'in-progress') enter(call, 'completed', to)
    },
  }
  return emulator
}
