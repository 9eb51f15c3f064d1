import type { Agent } from '#shared/accounts/configuration.ts'
import { readAgent } from '#shared/agents/agent-store.ts'
import { reasonForCall } from '#shared/agents/rules/answer-reason.ts'
import { type AgentAnswer, canCancel, type Dial, placeCall } from '#shared/agents/voice-agent.ts'
import { isInternational } from '#shared/location/rules/locate.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { StartFailure } from '../../local/engines/engine.ts'
import { withoutAws } from '../../local/without-aws.ts'
import type { Output } from '../output.ts'
import { OpsRefusal } from '../refusal.ts'
import type { ExitCode } from '../runner.ts'
import { endTrial, type Followed, followTrial, lookTrialUp } from './follow.ts'
import { newHeard } from './heard.ts'
import { checkMayRing, NOBODY_CALLED } from './may-ring.ts'
import { aftermath, aftermathInWords } from './plain-words.ts'
import { startTrialReceiver, type TrialReceiver } from './receiver.ts'
import { newTrialId, type Trial, trialDial } from './trial-call.ts'

interface TryOptions extends Omit<Trial, 'agent'> {
  readonly agent: string
  readonly port: number
  readonly publicUrl: string | undefined
  readonly yes: boolean
}

const TIMEOUT = 5 * SECOND

const isOnThisMachine = ({ hostname }: URL): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)

const readTried = async (id: string, publicUrl: string | undefined): Promise<Agent> => {
  const agent = await readAgent(id)
  if (!agent) throw new OpsRefusal(`There is no agent ${id}. See the agents with: npm run ops -- get agents`)
  const unable = withoutAws(agent)
  if (unable !== undefined) throw new OpsRefusal(`${unable} ${NOBODY_CALLED}`)
  if (agent.platform || publicUrl !== undefined || isOnThisMachine(new URL(agent.url))) return agent
  throw new OpsRefusal(
    `The agent ${id} is not on this machine, so it cannot report to it. Open a tunnel to a port of this machine, and name both: --port 8090 --public-url https://calls.example.com. ${NOBODY_CALLED}`,
  )
}

const ABROAD =
  'The number is outside the North American Numbering Plan. In the service, only a lead type with international: true calls it.'

const planOf = (agent: Agent, { to, from, callId }: Dial, receiver: TrialReceiver | undefined): string => {
  const platform = agent.platform ? `${agent.platform.name}, assistant ${agent.platform.assistant}` : `none; your own agent at ${agent.url}`
  const reports = receiver ? `arrive at ${receiver.url}` : 'none; the platform is asked every few seconds'
  const rows = [
    ['agent', agent.id],
    ['platform', platform],
    ['calls from', from.number === '' ? "the agent's own number" : from.number],
    ['calls', to],
    ['call id', callId],
    ['reports', reports],
  ]
  const abroad = isInternational({ phone_number: to }) ? `\n\n${ABROAD}` : ''
  return `${rows.map(([name = '', value]) => `  ${name.padEnd(12)}${value}`).join('\n')}${abroad}`
}

const RINGS = '\nThe calling rules allow the call. They are not legal advice. The phone rings NOW, once. The call may cost money.'

const FAULTS = {
  account: 'In the service, the agent would get no calls for a while.',
  number: 'In the service, the lead would be BAD_NUMBER.',
  call: 'In the service, the attempt would count as refused, and another would follow later.',
} as const
/** The account seems to be at fault, but it may be only this call. */
const PRESUMED_ACCOUNT_FAULT = 'In the service, the agent would get no calls for a while after five such failures in a row.'

const refusalOf = (agent: Agent, answer: Extract<AgentAnswer, { reason: string }>): string => {
  if (answer.kind !== 'refused') return `The request was not sent, so no phone rings: ${reasonForCall(answer)}`
  const consequence = answer.fault === 'account' && !answer.isWhole ? PRESUMED_ACCOUNT_FAULT : FAULTS[answer.fault]
  const check = answer.fault === 'account' ? ` To see what to change, use: npm run ops -- agents check ${agent.id}` : ''
  return `The call was refused, so no phone rings: ${reasonForCall(answer)}\n${consequence}${check}`
}

/** Prints the outcome. @returns whether there is one */
const printOutcome = ({ agent, heard, output }: Followed): boolean => {
  const refusal = heard.refusal()
  if (refusal !== undefined) {
    output.line(
      { type: 'trial.refused', reason: refusal.reason },
      refusalOf(agent, { kind: 'refused', fault: 'account', health: 'failing', ...refusal }),
    )
    return false
  }
  const ended = heard.outcome()
  if (!ended) {
    const sentence = 'No outcome was reported in time. In the service, the call would become UNKNOWN, and never be dialled again.'
    output.line({ type: 'trial.result', outcome: null, presumed: false }, sentence)
    return false
  }
  const after = aftermath(ended.outcome, ended.messageLeft, ended.callback)
  const how = ended.isPresumed ? 'presumed, because only the end was reported' : 'reported'
  output.line(
    { type: 'trial.result', outcome: ended.outcome, presumed: ended.isPresumed, service: after },
    `\nOutcome: ${ended.outcome} (${how}).\n${aftermathInWords(after)}`,
  )
  return true
}

const followToEnd = async (followed: Followed, platformCallId: string | null): Promise<ExitCode> => {
  const { output, interrupted, heard } = followed
  await followTrial(followed, platformCallId)
  if (interrupted.aborted && heard.endedAt() === undefined) {
    const sentence = await endTrial(followed, platformCallId)
    output.line({ type: 'trial.interrupted', sentence }, sentence)
    return 1
  }
  return printOutcome(followed) ? 0 : 1
}

/** Places the call, with one request. */
const place = async (followed: Followed): Promise<ExitCode> => {
  const { agent, dial, output } = followed
  const answer = await placeCall(agent, dial, TIMEOUT)
  if (answer.kind === 'accepted') {
    const { platformCallId } = answer
    output.line(
      { type: 'trial.placed', call_id: dial.callId, provider_call_id: platformCallId },
      `The call is placed. Its id at the agent is ${platformCallId}. ${canCancel(agent) ? 'Ctrl-C ends the call.' : 'The platform cannot end a call: Ctrl-C ends only this command.'}\n`,
    )
    return followToEnd(followed, platformCallId)
  }
  if (answer.kind !== 'unclear') {
    output.line({ type: 'trial.refused', reason: reasonForCall(answer) }, refusalOf(agent, answer))
    return 1
  }
  const reason = reasonForCall(answer)
  output.line({ type: 'trial.unclear', reason }, `It is not clear whether the phone rings: ${reason}`)
  const found = await lookTrialUp(followed)
  if (found !== undefined) {
    output.line(
      { type: 'trial.placed', call_id: dial.callId, provider_call_id: found },
      `The call exists${found === null ? '' : `: ${found}`}.\n`,
    )
    return followToEnd(followed, found)
  }
  const sentence = 'Nobody knows whether the phone rang. It is not dialled again. In the service, the call would become UNKNOWN.'
  output.line({ type: 'trial.result', outcome: null, presumed: false }, sentence)
  return 1
}

const isConfirmed = async ({ yes }: TryOptions, plan: string, output: Output): Promise<boolean> => {
  output.say(plan)
  if (yes) {
    output.say(RINGS)
    return true
  }
  if (!output.isAttended) throw new OpsRefusal(`A phone would ring. To call it without a question, use --yes. ${NOBODY_CALLED}`)
  if (await output.confirm(`${RINGS} Call it?`, 'call')) return true
  output.line({ type: 'trial.declined' }, NOBODY_CALLED)
  return false
}

/** Calls the operator's own phone through an agent, and prints what is reported. @throws OpsRefusal before anything was sent */
export const tryAgent = async (options: TryOptions, { output, waiting }: Pick<Followed, 'output' | 'waiting'>): Promise<ExitCode> => {
  const agent = await readTried(options.agent, options.publicUrl)
  const trial = { ...options, agent }
  await checkMayRing(trial, waiting.now())
  const callId = newTrialId()
  const interruption = new AbortController()
  let news = new AbortController()
  const heard = newHeard({ output, callId, now: waiting.now, onNews: () => news.abort() })
  const receiver =
    agent.platform && options.publicUrl === undefined
      ? undefined
      : await startTrialReceiver({
          ...{ agent, callId, port: options.port, publicUrl: options.publicUrl, now: waiting.now },
          ...{ onReport: heard.take, onTranslation: heard.takeTranslation, onRefused: output.note },
          onTool: (name) => output.note(`The assistant calls the tool ${name}. This is a trial: nothing is recorded or booked.`),
          isCancelled: () => interruption.signal.aborted,
        }).catch((error: unknown) => {
          throw error instanceof StartFailure ? new OpsRefusal(`${error.message} ${NOBODY_CALLED}`) : error
        })
  const forget = waiting.onInterrupt(() => interruption.abort())
  try {
    const addresses = { baseUrl: receiver?.url ?? '', platformBaseUrl: options.publicUrl ?? '' }
    if (!(await isConfirmed(options, planOf(agent, trialDial(trial, callId, addresses, waiting.now()), receiver), output))) return 1
    // The question may have waited for long.
    const at = waiting.now()
    await checkMayRing(trial, at)
    if (interruption.signal.aborted) throw new OpsRefusal(NOBODY_CALLED)
    const nextNews = (): AbortSignal => {
      news = new AbortController()
      return AbortSignal.any([news.signal, interruption.signal])
    }
    const dial = trialDial(trial, callId, addresses, at)
    const isReported = receiver !== undefined
    return await place({ agent, dial, output, waiting, heard, isReported, interrupted: interruption.signal, news: nextNews })
  } finally {
    forget()
    await receiver?.close()
  }
}
