import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { now } from '#shared/platform/clock.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { passTime } from '#test/support/clock.ts'
import { platformCalls } from './platform-calls.ts'
import { CALLER } from './sample-dial.ts'
import { startTwilioEmulator, type TwilioEmulator } from './twilio-emulator.ts'

const ACCOUNT = 'AC00000000000000000000000000000001'

/** An answer of a platform that fails. */
export const BROKEN = { status: 500, body: {} }

/** As `platformCalls`, with an agent on Twilio and a sweep. */
export const twilioCalls = () => {
  let twilio: TwilioEmulator
  const start = async (clock: () => number) => {
    twilio = await startTwilioEmulator({ accountSid: ACCOUNT, authToken: 'token-1', numbers: [CALLER.number], now: clock })
    const assistant = 'https://agent.example.com/twiml'
    return { platform: twilio, name: 'twilio', apiKey: 'token-1', assistant, settings: { account_sid: ACCOUNT } }
  }
  const calls = platformCalls(start, now)

  /** Runs the sweep of each of the next minutes, and the looks at calls that it sends. */
  const sweep = async (minutes = 1): Promise<void> => {
    for (let minute = 0; minute < minutes; minute++) {
      passTime(MINUTE)
      await dispatchDue()
      await calls.place((await calls.queued()).filter(({ type }) => type === 'watch'))
    }
  }

  /** Requests to end a call. A call that somebody answered takes a second request. */
  const cancels = () => twilio.seen.filter(({ body }) => body === 'Status=canceled')
  const polls = () => twilio.seen.filter(({ method, path }) => method === 'GET' && path.includes('/Calls/'))

  return { ...calls, twilio: () => twilio, sweep, cancels, polls, sid: () => twilio.rung[0]!.platformCallId }
}
