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
