import { randomUUID } from 'node:crypto'
import { AnsweringMachineDetectionStatus } from '@aws-sdk/client-connect'
import { SPOKEN_OUTCOMES } from '#shared/agents/platforms/analysis.ts'
import { CONNECT_EVENT_TYPES } from '#shared/agents/platforms/connect/events.ts'
import { ANSWERED_ENDS, UNANSWERED_ENDS } from '#test/support/platforms/connect-contract.ts'
import { type ConnectScript, startConnectEmulator } from '#test/support/platforms/connect-emulator.ts'
import { CONNECT_FLOW, SOUND_FLOW } from '#test/support/platforms/connect-world.ts'
import { FROM, kindBy, type PlayedPlatform, scriptIn } from './played-platform.ts'

const REGION = 'us-east-1'
const TALKED: ConnectScript = { reason: 'CUSTOMER_DISCONNECT', isAnswered: true }

const byName = (names: readonly string[], scriptOf: (name: string) => ConnectScript, prefix = '') =>
  Object.fromEntries(names.map((name) => [`${prefix}${name}`, scriptOf(name)]))

const SCRIPTS: Readonly<Record<string, ConnectScript>> = {
  ...byName(Object.keys(UNANSWERED_ENDS), (reason) => ({ reason }), 'unanswered: '),
  ...byName(Object.keys(ANSWERED_ENDS), (reason) => ({ reason, isAnswered: true }), 'answered: '),
  // The network cuts a conversation.
  ...byName(['TELECOM_PROBLEM', 'TELECOM_TIMEOUT', 'EXPIRED'], (reason) => ({ reason, isAnswered: true }), 'answered: '),
  ...byName(Object.values(AnsweringMachineDetectionStatus), (machine) => ({ ...TALKED, machine }), 'machine: '),
  'an agent of the queue joins': { ...TALKED, queue: 'joins' },
  'no agent of the queue joins': { ...TALKED, queue: 'waits' },
  ...byName(SPOKEN_OUTCOMES, (outcome) => ({ ...TALKED, results: { call_outcome: outcome } }), 'said: '),
}

const RINGS: ConnectScript = { ...TALKED, waits: 'INITIATED' }

/** The rule of EventBridge passes events of some types only. */
const isOfRule = (event: string): boolean => CONNECT_EVENT_TYPES.includes(JSON.parse(event).detail.eventType)

export const playConnect: PlayedPlatform = {
  name: 'connect',
  ends: Object.keys(SCRIPTS),
  typical: 'said: not_interested',
  start: async ({ now, onEvent, endOf }) => {
    // Functions cache the agents of an instance.
    const instanceId = randomUUID()
    const emulator = await startConnectEmulator({
      ...{ instanceId, region: REGION, numbers: [FROM.number], flows: { [CONNECT_FLOW]: SOUND_FLOW }, now, hasEventReasons: true },
      onEvent: (event) => isOfRule(event) && onEvent(event),
      script: (to) => {
        const end = endOf(to)
        return end === undefined ? RINGS : scriptIn(SCRIPTS)(end)
      },
    })
    const settings = { region: REGION, instance_id: instanceId, machine_detection: 'on' }
    return {
      emulator,
      account: { assistant: CONNECT_FLOW, apiKey: '', settings },
      end: (id, end) => emulator.release(id, scriptIn(SCRIPTS)(end)),
    }
  },
  kindOf: kindBy([
    [/^PUT \/contact\/outbound-voice$/, 'dial'],
    [/^POST \/contact\/stop$/, 'cancel'],
    [/^POST \/search-contacts$/, 'search'],
    [/^GET \/contacts?\//, 'read'],
  ]),
}
