import type { Shown } from '#lib/uploader/service.ts'
import type { Service } from '#test/support/service.ts'
import type { Fields } from './people.ts'
import type { Expected } from './reference.ts'
import type { WrittenItems } from './written-items.ts'

const HEADER = 'line,column,value,message\r\n'
/** Most differences to print. */
const MOST = 5

const firstOf = (faults: readonly string[]): string[] =>
  faults.length <= MOST ? [...faults] : [...faults.slice(0, MOST), `and ${faults.length - MOST} more of that kind`]

/** Checks an upload's result. @returns what is wrong */
export const uploadFaults = async (upload: Shown, { counts, complaints }: Expected): Promise<string[]> => {
  const { status, error, rows, created, updated, unchanged, rejected, rejected_url } = upload
  const found = { rows, created, updated, unchanged, rejected }
  const faults = status === 'done' && error === null ? [] : [`the upload is ${status}: ${error}`]
  if (JSON.stringify(found) !== JSON.stringify(counts)) {
    faults.push(`its counts are ${JSON.stringify(found)} and should be ${JSON.stringify(counts)}`)
  }
  if (created + updated + unchanged + rejected !== rows) faults.push('its counts do not add up to its rows')
  const sent = rejected_url === null ? '' : await (await fetch(rejected_url)).text()
  // Only the service knows the id of the lead that a complaint names.
  const text = sent.replace(/(must make a unique set\.) [^"]*/g, '$1')
  const wanted = complaints.length > 0 ? HEADER + complaints.join('') : ''
  if (text === wanted) return faults
  const [lines, wantedLines] = [text.split('\r\n'), wanted.split('\r\n')]
  const place = wantedLines.findIndex((line, index) => line !== lines[index])
  const [is, should] = [JSON.stringify(lines[place]), JSON.stringify(wantedLines[place])]
  return [
    ...faults,
    `of ${wantedLines.length} lines about rejected rows there are ${lines.length}; the first other one is ${is}, not ${should}`,
  ]
}

const PAGE = 100
const NAMES = ['first_name', 'last_name', 'zip'] as const
const PLAIN = ['phone_number', 'email', 'us_state', 'lead_source'] as const

type Item = Readonly<Record<string, unknown>> & { readonly metadata: Readonly<Record<string, unknown>> }

/** The fields of a lead that files set. A blank field counts as absent. */
const shown = (lead: Item): Record<string, unknown> => ({
  ...Object.fromEntries(PLAIN.map((name) => [name, lead[name] || undefined])),
  ...Object.fromEntries(NAMES.map((name) => [name, lead.metadata[name]])),
})

const differs = (lead: Item, fields: Fields): boolean => {
  const known = new Map<string, unknown>(Object.entries(fields))
  return Object.entries(shown(lead)).some(([name, value]) => value !== known.get(name))
}

/** Checks all leads of the service. @returns what is wrong */
export const leadFaults = async (service: Service, wanted: ReadonlyMap<string, Fields>): Promise<string[]> => {
  const faults: string[] = []
  const seen = new Set<string>()
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { status, body } = await service.call('GET', `/api/leads/?page=${page}&page_size=${PAGE}`)
    if (status !== 200) return [...faults, `page ${page} of the leads was answered with ${status}`]
    pages = Math.ceil(Number(body['count']) / PAGE)
    for (const lead of body['results'] as Item[]) {
      const id = `${lead['external_id']}`
      const fields = wanted.get(id)
      if (seen.has(id)) faults.push(`there are two leads ${id}`)
      else if (!fields) faults.push(`there is a lead ${id}`)
      else if (differs(lead, fields)) faults.push(`lead ${id} is ${JSON.stringify(shown(lead))} and should be ${JSON.stringify(fields)}`)
      seen.add(id)
    }
  }
  const missing = [...wanted.keys()].filter((id) => !seen.has(id)).map((id) => `there is no lead ${id}`)
  return [...firstOf(faults), ...firstOf(missing)]
}

/** Items that are not about leads: uploads, and what requests and the clock write. */
const BESIDE = /^(UPLOAD|THROTTLE|TASK|AGENT)#/

/** Lists items that were written although the file had nothing new. */
export const writeFaults = (written: WrittenItems): string[] =>
  firstOf([...written].filter(([key]) => !BESIDE.test(key)).map(([key, times]) => `${key} was written ${times} times`))
