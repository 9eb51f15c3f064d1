import { type Json, type Service, until } from '#test/support/service.ts'
import { asking, begun, CALLED, SILENT } from './asking.ts'
import { operatorOf, UNTHROTTLED } from './operator.ts'

/** Many lines are kept in groups. Calls that begin while the first group has 20 are spread over all groups. */
const LINES = 400
const FIRST = 20
const CALLS = 30

const USER = {
  key: 'many-lines',
  name: 'Many lines',
  throttle: UNTHROTTLED,
  lines: LINES,
  lead_types: [
    { key: 'silent', name: 'Silent', agent: 'simulator' },
    { key: 'consent', name: 'Consent', agent: 'simulator', consent_type: 'oral' },
  ],
}

const EMERGENCY = 'PR'
/** Its state has an emergency. All other leads of the exercise are in other states. */
const IN_EMERGENCY = { phone_number: '+17875550101', us_state: EMERGENCY, external_id: 'emergency' }

/** A user whose calls take many lines, and leads that a setting holds back. Comes first, because functions cache the settings. */
export const exerciseLines = async (service: Service, directory: string): Promise<void> => {
  const { apply, issueKey } = operatorOf(directory)
  await apply({ users: [USER], emergencies: [EMERGENCY] })
  const asked = asking({ ...service, apiKey: await issueKey(USER.key) })
  const types = (await asked('GET', '/api/lead-types/'))['results'] as Json[]
  const typeNamed = (name: string) => types.find((type) => type['name'] === name)?.id
  const create = (fields: object) => asked('POST', '/api/leads/', fields)
  /** A lead that is held back is shown without a next call. */
  const held = (lead: number) =>
    until(
      () => asked('GET', `/api/leads/${lead}/`),
      ({ next_call_time }) => next_call_time === null,
    )

  const silent = { ...CALLED, lead_type: typeNamed('Silent') }
  const leads = Array.from({ length: CALLS }, (_, index) => ({ ...silent, phone_number: `+1212${600 + index}${SILENT}` }))
  const callTo = async (from: number, to: number) => {
    await asked('POST', '/api/leads/bulk-create/', { leads: leads.slice(from, to) })
    await until(
      () => asked('GET', '/api/users/me/'),
      ({ lines }) => (lines as { in_use: number }).in_use === to,
    )
  }
  await callTo(0, FIRST)
  await callTo(FIRST, CALLS)
  const [lead] = (await asked('GET', '/api/leads/'))['results'] as Json[]
  const id = lead?.id ?? 0
  await asked('GET', `/api/leads/${id}/explain/`)
  await asked('GET', `/api/leads/${id}/calling-times/`)
  await asked('POST', `/api/leads/${id}/schedule-call/`, {}, 'schedule')

  const phone_number = '+12125550103'
  const waits = await create({ ...CALLED, lead_type: typeNamed('Consent'), phone_number })
  await held(waits.id)
  await asked('GET', `/api/lead-types/${typeNamed('Consent')}/preview/`)
  await asked('POST', '/api/consents/', { phone_number, type: 'written', time: '2026-11-20T15:00:00Z' })
  await held((await create({ ...IN_EMERGENCY, lead_type: typeNamed('Silent') })).id)
}

/** The emergency ends: the leads that it held back are called. */
export const exerciseEmergencyEnd = async (service: Service, directory: string): Promise<void> => {
  const { apply, issueKey } = operatorOf(directory)
  const asked = asking({ ...service, apiKey: await issueKey(USER.key) })
  await apply({ emergencies: [] })
  const [lead] = (await asked('GET', `/api/leads/?external_id=${IN_EMERGENCY.external_id}`))['results'] as Json[]
  await begun(asked, lead?.id ?? 0)
}
