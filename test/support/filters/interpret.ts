/** A condition as a tree. `interpret` evaluates it in the simplest way: it walks the tree and compares values as JSON. */
export type Meant =
  | { readonly is: 'literal'; readonly source: string; readonly json: string }
  | { readonly is: 'path'; readonly root: string; readonly steps: readonly (string | number)[] }
  | { readonly is: 'inside'; readonly of: Meant; readonly steps: readonly (string | number)[] }
  | { readonly is: 'has'; readonly path: string }
  | { readonly is: 'get'; readonly path: string; readonly otherwise: Meant | undefined }
  | { readonly is: '==' | '!=' | 'and' | 'or'; readonly left: Meant; readonly right: Meant }

const FALSE = new Set(['null', 'false', '0', '""', '[]', '{}'])

const holds = (value: unknown): boolean => !FALSE.has(JSON.stringify(value))

const stepInto = (value: unknown, step: string | number): unknown => {
  if (typeof value !== 'object' || value === null) return null
  const entries = new Map(Object.entries(value))
  if (!Array.isArray(value)) return typeof step === 'string' && entries.has(step) ? entries.get(step) : null
  const place = typeof step === 'number' && step < 0 ? value.length + step : step
  return entries.get(`${place}`) ?? null
}

const stepsInto = (value: unknown, steps: readonly (string | number)[]): unknown => steps.reduce(stepInto, value)

const LEAD_FIELDS: readonly unknown[] = [
  ...['id', 'email', 'phone_number', 'status', 'lead_source', 'external_id', 'us_state'],
  ...['call_dnc', 'sms_dnc', 'reengagements_count', 'representative'],
]

/** A lead field that the metadata lacks is read from the lead itself. */
const pathOf = (payload: unknown, steps: readonly (string | number)[]): unknown => {
  const [first, second] = steps
  const isLeads = first === 'metadata' && LEAD_FIELDS.includes(second) && stepsInto(payload, steps.slice(0, 2)) === null
  return stepsInto(payload, isLeads ? steps.slice(1) : steps)
}

/** Equal values have the same text: true becomes 1, false becomes 0, and keys are sorted. */
const canonical = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`)
  return `{${entries.sort().join()}}`
}

const valueFor = (meant: Meant, payload: unknown): unknown => {
  switch (meant.is) {
    case 'literal':
      return JSON.parse(meant.json)
    case 'path':
      return pathOf(payload, [meant.root, ...meant.steps])
    case 'inside':
      return stepsInto(valueFor(meant.of, payload), meant.steps)
    case 'has':
      return pathOf(payload, meant.path.split('.')) !== null
    case 'get': {
      const found = pathOf(payload, meant.path.split('.'))
      if (found !== null) return found
      return meant.otherwise ? valueFor(meant.otherwise, payload) : null
    }
    case 'and':
    case 'or': {
      const left = valueFor(meant.left, payload)
      return holds(left) === (meant.is === 'or') ? left : valueFor(meant.right, payload)
    }
    default:
      return (canonical(valueFor(meant.left, payload)) === canonical(valueFor(meant.right, payload))) === (meant.is === '==')
  }
}

/** Whether the payload matches. */
export const interpret = (meant: Meant, payload: unknown): boolean => holds(valueFor(meant, payload))
