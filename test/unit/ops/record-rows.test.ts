import { expect, it } from '@jest/globals'
import { COLUMNS } from '#lib/ops/records/columns.ts'
import { callRow } from '#lib/ops/records/rows.ts'
import type { State } from '#lib/ops/state.ts'
import { NOON, sampleCall } from '#test/support/samples.ts'

const state: State = {
  users: new Map(),
  agents: new Map(),
  urls: new Map(),
  groups: new Set(),
  emergencies: [],
  idOf: () => undefined,
  keyOf: () => undefined,
  namesOf: () => [],
}

const cellOf = (name: keyof typeof COLUMNS.calls, changes: Parameters<typeof sampleCall>[0], known = state) =>
  callRow(sampleCall(changes), known).cells[Object.keys(COLUMNS.calls).indexOf(name)]

it.each([
  ['its acceptance, which comes first', { accepted_time: NOON, answered_time: NOON + 1000 }, '2026-11-20T16:00:00.000Z'],
  [
    'its answer, if the report of the answer overtakes the acceptance',
    { accepted_time: NOON + 1000, answered_time: NOON },
    '2026-11-20T16:00:00.000Z',
  ],
  ['its answer, if nothing else is known', { answered_time: NOON }, '2026-11-20T16:00:00.000Z'],
  ['unknown, if no report came', {}, null],
])('the start of a call in the records is %s', (_, times, expected) => {
  expect(cellOf('started_time', times)).toBe(expected)
})

it.each(['calling_number', 'platform', 'assistant'] as const)('the %s of a call that did not store it is empty in the records', (name) => {
  const from = [{ number: '+12125550100', id: null }]
  const platform = {
    name: 'twilio',
    assistant: 'one',
    from,
    credentials: '',
    credentials_hash: '',
    settings: {},
    longest_call_seconds: 600,
  }
  const agent = { id: 'simulator', url: 'https://api.example.com/', secrets: [], platform }
  expect(cellOf(name, { placed_with: null }, { ...state, agents: new Map([[agent.id, agent]]) })).toBeNull()
})
