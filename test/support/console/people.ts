import * as v from 'valibot'
import type { Json, Service } from '../service.ts'

/** It is early in the morning there, so that nobody calls these leads. */
const HONOLULU = 'Pacific/Honolulu'

let lastPhone = 0
export const newConsolePhone = (): string => `+1202555${`${++lastPhone}`.padStart(4, '0')}`

/** Creates a lead that is not called yet. */
export const uncalledLead = async (service: Service, fields: Record<string, unknown> = {}): Promise<Json> => {
  const { status, body } = await service.call('POST', '/api/leads/', { phone_number: newConsolePhone(), timezone: HONOLULU, ...fields })
  if (status !== 201) throw new Error(`The lead was not created: ${JSON.stringify(body)}`)
  return body
}

/** Texts that would run a script, close an element, or turn the direction of the text around them. */
export const HOSTILE = {
  script: '<script>document.title="taken"</script>',
  image: '"><img src=x onerror="document.title=\'taken\'">',
  rightToLeft: '\u202Egnihtemos \u05D0\u05D1\u05D2',
} as const

const Types = v.object({ results: v.array(v.object({ id: v.number(), name: v.string() })) })

/** The name of a lead type of the first user. */
export const leadTypeName = async (service: Service, id: unknown): Promise<string> => {
  const { body } = await service.call('GET', '/api/lead-types/')
  const found = v.parse(Types, body).results.find((type) => type.id === id)
  if (!found) throw new Error(`There is no lead type ${id}.`)
  return found.name
}
