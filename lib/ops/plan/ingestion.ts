import * as v from 'valibot'
import { DEFAULT_INGESTION_THROTTLE } from '#shared/accounts/configuration.ts'
import { IngestionUrl, Source } from '#shared/ingestion/ingestion.ts'
import { saveIngestionUrl } from '#shared/ingestion/ingestion-url-store.ts'
import { saveSource } from '#shared/ingestion/source-store.ts'
import type { Declared } from '../configuration/declared.ts'
import type { SourceEntry, UrlEntry } from '../configuration/schema.ts'
import { sourceView, urlView, type View } from '../listings/views.ts'
import { type Completed, desired, nameFor, note, type Planning } from './planning.ts'
import { checkLeadType, leadTypeId, type Owner } from './references.ts'

const NOBODY = { keyOf: () => undefined }

/** Placeholders until the real ids are known. */
const SOME = { owner: 1, lead_type: null }
const SOME_ID = '00000000-0000-4000-8000-000000000000'

const completeSource =
  (name: string) =>
  (whole: View): Completed => {
    const read = v.safeParse(Source, { ...whole, ...SOME, name })
    return read.success ? { view: { ...sourceView(read.output, NOBODY), lead_type: whole['lead_type'] ?? null } } : { issues: read.issues }
  }

const completeUrl = (whole: View): Completed => {
  const read = v.safeParse(IngestionUrl, { ...whole, ...SOME, id: SOME_ID })
  return read.success ? { view: { ...urlView(read.output, NOBODY), lead_type: whole['lead_type'] ?? null } } : { issues: read.issues }
}

const planSource = (planning: Planning, owner: Owner, { key, entry, path, said: raw }: Declared<SourceEntry>): void => {
  checkLeadType(planning, owner, raw['lead_type'], [...path, 'lead_type'])
  if (!entry) return
  const user = owner.declared.key
  const found = owner.state?.sources.find(({ name }) => name === key)
  const { key: _, ...said } = entry
  const before = found && sourceView(found, planning.state)
  const thing = { kind: 'source' as const, name: `${user}/${key}`, path, before, said, complete: completeSource(key) }
  const after = desired(planning, thing)
  if (!after) return
  note(planning, {
    ...thing,
    after,
    isNamed: false,
    write: (ids) => {
      const own = { name: key, owner: ids.number('USER', [user]), lead_type: leadTypeId(ids, user, after['lead_type']) }
      return saveSource(v.parse(Source, { ...after, ...own }))
    },
  })
}

const planUrl = (planning: Planning, owner: Owner, { key, entry, path, said: raw }: Declared<UrlEntry>): void => {
  checkLeadType(planning, owner, raw['lead_type'], [...path, 'lead_type'])
  const user = owner.declared.key
  const keys = [user, key]
  const ofOwner = (id: unknown) => [...planning.state.urls.values()].find((url) => url.id === id && url.owner === owner.state?.user.id)
  const isNamed = planning.state.idOf('URL', keys) === undefined
  const id = nameFor(planning, { kind: 'URL', keys, path, said: entry?.id, exists: ofOwner(entry?.id) !== undefined })
  if (!entry) return
  const found = ofOwner(id)
  const { key: _, id: __, ...settings } = entry
  // A new URL may set one limit only. The other limit gets its default.
  const throttle = settings.throttle && !found ? { ...DEFAULT_INGESTION_THROTTLE, ...settings.throttle } : settings.throttle
  const said = { ...settings, throttle }
  const before = found && urlView(found, planning.state)
  const thing = { kind: 'ingestion URL' as const, name: keys.join('/'), path, before, said, complete: completeUrl }
  const after = desired(planning, thing)
  if (!after) return
  note(planning, {
    ...thing,
    after,
    isNamed,
    write: (ids) => {
      const own = { id: ids.text('URL', keys), owner: ids.number('USER', [user]), lead_type: leadTypeId(ids, user, after['lead_type']) }
      return saveIngestionUrl(v.parse(IngestionUrl, { ...after, ...own }))
    },
  })
}

/** Plans sources and ingestion URLs. */
export const planIngestion = (planning: Planning, owners: readonly Owner[]): void => {
  for (const owner of owners) {
    for (const source of owner.declared.sources) planSource(planning, owner, source)
    for (const url of owner.declared.urls) planUrl(planning, owner, url)
  }
}
