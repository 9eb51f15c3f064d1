import { getLeads } from '#shared/leads/lead-store.ts'
import type { UploadFound } from './files.ts'
import type { PersonItem } from './person-items.ts'
import type { Survey } from './survey.ts'

const nameOf = ({ key }: PersonItem): string => `${key.pk} ${key.sk}`

const isTheirLead = ({ type, fate }: PersonItem): boolean => type === 'lead' && fate === 'person'

/** Leads that were to be erased but still exist: they have another number by now. */
const stillThere = async (items: readonly PersonItem[]): Promise<ReadonlyMap<number, unknown>> =>
  getLeads(
    items.filter(isTheirLead).map(({ item }) => Number(item['id'])),
    { consistent: true },
  )

const withFilesOf = (one: UploadFound | undefined, other: UploadFound): UploadFound =>
  one ? { ...one, files: new Set([...one.files, ...other.files]), reports: new Set([...one.reports, ...other.reports]) } : other

/** Everything that an earlier survey found and the last one did not: it was erased or redacted. */
export const goneSince = async (looks: readonly Survey[], last: Survey): Promise<Survey> => {
  const left = new Set(last.items.map(nameOf))
  const items = new Map(looks.flatMap((look) => look.items.map((found) => [nameOf(found), found] as const)))
  const gone = [...items].flatMap(([name, found]) => (left.has(name) ? [] : [found]))
  const there = await stillThere(gone)
  const uploads = new Map<string, UploadFound>()
  for (const upload of looks.flatMap((look) => look.uploads)) {
    uploads.set(upload.upload_id, withFilesOf(uploads.get(upload.upload_id), upload))
  }
  return {
    items: gone.filter((found) => !(isTheirLead(found) && there.has(Number(found.item['id'])))),
    uploads: [...uploads.values()].filter(({ upload_id }) => !last.uploads.some((each) => each.upload_id === upload_id)),
  }
}
