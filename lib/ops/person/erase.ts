import { silentFrom } from '#shared/calling/rules/silence.ts'
import { endErasure, noteErasedLeads, noteErasure } from '#shared/erasure/erasure-store.ts'
import { getLeads } from '#shared/leads/lead-store.ts'
import { now } from '#shared/platform/clock.ts'
import { inLanes } from '#shared/platform/lanes.ts'
import { HOUR, SECOND } from '#shared/platform/values/durations.ts'
import { stopHistory } from '#shared/stops/stop-history.ts'
import { remark } from '#shared/uploads/upload-work-store.ts'
import { LISTENERS_SEEN_AFTER, LISTENERS_USED_FOR } from '#shared/webhooks/listeners.ts'
import { LONGEST_REQUEST } from '../../routes/route.ts'
import type { Output } from '../output.ts'
import { areEventsUnderWay } from '../queues.ts'
import { recordFilesNaming } from '../records/naming-files.ts'
import { unexportedDays } from '../records/unexported-days.ts'
import { OpsRefusal } from '../refusal.ts'
import type { ExitCode } from '../runner.ts'
import type { OpsEnvironment } from '../surroundings.ts'
import type { Waiting } from '../waiting.ts'
import { dropDeadLetters } from './dead-letters.ts'
import { eraseItems, isStuck } from './erase-items.ts'
import { reportFolder, type UploadFound } from './files.ts'
import type { PersonItem } from './person-items.ts'
import { readCall } from './read-call.ts'
import { type ErasureReport, eraseText, leftIn, reportOf } from './report.ts'
import { LOOKS_AT_ONCE, type SoughtPerson } from './sought.ts'
import { anonymiseAllStops, forgetPhones, type KeptStop, listStops, stopsOf } from './stops.ts'
import { type Survey, surveyPerson } from './survey.ts'
import { removeObject, removeObjects, rewriteReport } from './upload-report.ts'

/** The lead that the item belongs to, with its owner. */
const leadOf = ({ type, item }: PersonItem): { owner: number; lead: number }[] => {
  const { owner, id, lead } = item
  const named = type === 'lead' ? id : lead
  return typeof owner === 'number' && typeof named === 'number' ? [{ owner, lead: named }] : []
}

/** Marks the leads as erased. Otherwise events in flight would be stored as deliveries with the old data. */
const markErased = async (items: readonly PersonItem[]): Promise<void> => {
  const byOwner = Map.groupBy(items.flatMap(leadOf), ({ owner }) => owner)
  for (const [owner, leads] of byOwner) await noteErasedLeads(owner, new Set(leads.map(({ lead }) => lead)), now())
}

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
const goneSince = async (looks: readonly Survey[], last: Survey): Promise<Survey> => {
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

interface Context {
  readonly output: Output
  readonly environment: OpsEnvironment['environment']
  readonly waiting: Waiting
}

const NOTHING_DONE = 'Nothing was erased.'
const PART_DONE = 'Then erase again: only a part is erased.'

/** @throws OpsRefusal while a call or an upload is in progress that would write about the person again */
const checkNothingUnderWay = ({ items, uploads }: Survey, done: string): void => {
  const calls = items.filter(({ type, fate }) => type === 'call' && fate === 'remove').flatMap(({ item }) => readCall(item) ?? [])
  const live = calls.filter((call) => call.settled_time === null && now() < silentFrom(call) + HOUR)
  if (live.length > 0) {
    const ids = live.map(({ call_id }) => call_id).join(', ')
    throw new OpsRefusal(`The person is on the phone, or was a moment ago (call ${ids}). Wait until the call is over. ${done}`)
  }
  const read = uploads.filter(({ upload }) => upload?.status === 'processing' || (upload?.status === 'waiting' && upload.object === null))
  if (read.length > 0) {
    const ids = read.map(({ upload_id }) => upload_id).join(', ')
    throw new OpsRefusal(`A file with the number is being read (upload ${ids}). Wait until it is done. ${done}`)
  }
}

const REMARK = 'The uploaded file is deleted, because it held data of a person who has been erased.'

/** Rewrites the report first: to find the person's rows in it, a repeated run needs the file and the upload. */
const eraseUpload = async ({ upload_id, owner, upload, files, rows }: UploadFound, { mentions }: SoughtPerson): Promise<void> => {
  const folder = reportFolder(owner, upload_id)
  // Without its upload nobody can reach a report, so a rewrite would be useless.
  if (upload === null) await removeObjects(folder)
  else {
    await rewriteReport(
      folder,
      mentions,
      rows.map(({ line }) => line),
    )
  }
  // First: a repeat after a crash no longer finds a file that was removed.
  if (files.size > 0) await remark(upload_id, REMARK)
  for (const key of files) await removeObject(key)
}

/**
 * Milliseconds. A request that began before the erasure may still store the person's data, for example as the answer to its Idempotency-Key.
 * For the first ten seconds, a function may not know the erased leads. It may then store a delivery of an event that no queue counts, because
 * the event is still in the stream or on the bus. Its delivery may wait for a turn. Two seconds more: the function takes time to store them.
 * The next survey finds them.
 */
const FIRST_PAUSE = Math.max(LONGEST_REQUEST * SECOND, LISTENERS_SEEN_AFTER + LISTENERS_USED_FOR) + 2 * SECOND

/** Milliseconds. The longest run of the function that matches events with subscriptions. */
const LONGEST_MATCHING = 30 * SECOND

/** Milliseconds. By then, each run that did not know the erased leads has written its deliveries. */
const PATIENCE = LISTENERS_SEEN_AFTER + LONGEST_MATCHING

const waitForEvents = async ({ environment, waiting }: Context): Promise<void> => {
  const end = waiting.now() + PATIENCE
  const pause = (milliseconds: number) => waiting.pause(milliseconds, new AbortController().signal)
  await pause(FIRST_PAUSE)
  while ((await areEventsUnderWay(environment)) && waiting.now() < end) await pause(SECOND)
}

/** Most rounds of survey and erasure. A round may find items of leads that were unknown before, or that others wrote meanwhile. */
const MOST_ROUNDS = 6

const isClean = ({ items, uploads }: Survey, sought: SoughtPerson): boolean =>
  uploads.length === 0 && items.every((item) => isStuck(item, sought))

interface Erased {
  readonly gone: Survey
  readonly left: Survey
  readonly stops: readonly KeptStop[]
}

const eraseAll = async (first: Survey, sought: SoughtPerson, context: Context): Promise<Erased> => {
  const looks = [first]
  const stops = new Map<string, KeptStop>()
  for (let round = 1; ; round++) {
    const survey = looks.at(-1) ?? first
    for (const stop of await stopsOf(survey.items, sought)) stops.set(stop.pk, stop)
    if (isClean(survey, sought)) return { gone: await goneSince(looks, survey), left: survey, stops: [...stops.values()] }
    if (round > MOST_ROUNDS) {
      throw new OpsRefusal('Something keeps writing the number during the erasure. Find out what it is, stop it and erase again.')
    }
    checkNothingUnderWay(survey, round === 1 ? NOTHING_DONE : PART_DONE)
    await noteErasure(sought.hash, sought.owner, sought.leads)
    await markErased(survey.items)
    await listStops([...stops].map(([pk, stop]) => ({ ...stop, pk })))
    // Leads lead to files, so files go first: a repeat after a crash still finds them.
    for (const upload of survey.uploads) await eraseUpload(upload, sought)
    await eraseItems(survey.items, sought)
    if (round === 1) await waitForEvents(context)
    looks.push(await surveyPerson(sought, context.output))
  }
}

/** When the calls and consents that an erasure removes were recorded. */
const removedTimes = ({ items }: Survey): number[] =>
  items.flatMap(({ type, fate, item }) => {
    const time = type === 'call' ? item['intent_time'] : type === 'consent' ? item['received_time'] : undefined
    return fate === 'remove' && typeof time === 'number' ? [time] : []
  })

/**
 * When the stops and lifts were recorded of which an erasure removes something: the words and ids in a record, or the lead, call or consent
 * that tells whose number it is.
 */
const stopTimes = async ({ items }: Survey, { phonePks, owner }: SoughtPerson): Promise<number[]> => {
  const isNumberKnown = items.some(
    (item) => isTheirLead(item) || (item.fate === 'remove' && (item.type === 'call' || item.type === 'consent')),
  )
  const stops = (await inLanes(LOOKS_AT_ONCE, phonePks, (pk) => stopHistory(pk))).flat()
  const ofOwner = stops.filter((stop) => owner === undefined || stop.owner === owner)
  const lost = ofOwner.filter(
    ({ words, lead, call_id, upload_id }) => isNumberKnown || [words, lead, call_id, upload_id].some((field) => field !== null),
  )
  return lost.map(({ time }) => time)
}

interface EraseOptions {
  readonly dryRun: boolean
  readonly yes: boolean
}

const mayGoOn = async (report: ErasureReport, { output }: Context): Promise<boolean> => {
  if (!output.isAttended) throw new OpsRefusal(`An erasure cannot be undone. To confirm it, use --yes. ${NOTHING_DONE}`)
  output.say(eraseText(report))
  return output.confirm('Erase this permanently?')
}

/** Erases everything about a person except stops, which stay as hashes. Safe to repeat; a second run continues an interrupted one. */
export const erasePerson = async (sought: SoughtPerson, { dryRun, yes }: EraseOptions, context: Context): Promise<ExitCode> => {
  const { output, environment } = context
  const survey = await surveyPerson(sought, output)
  checkNothingUnderWay(survey, NOTHING_DONE)
  const letters = await dropDeadLetters(sought, { environment, dryRun: true })
  const stops = await stopsOf(survey.items, sought)
  const recordFiles = sought.everywhere ? await recordFilesNaming(sought.mentions) : null
  const unexported = await unexportedDays([...removedTimes(survey), ...(await stopTimes(survey, sought))])
  const planned = reportOf(survey, sought, { stops, letters, recordFiles, unexported, erased: false })
  if (dryRun) {
    output.show(planned, () => eraseText(planned))
    return 0
  }
  if (!yes && !(await mayGoOn(planned, context))) {
    output.show(planned, () => '')
    output.note(NOTHING_DONE)
    return 1
  }
  const { gone, left, stops: kept } = await eraseAll(survey, sought, context)
  // Also if nothing else was left: an earlier run may have died before this.
  await anonymiseAllStops(sought)
  const dropped = await dropDeadLetters(sought, { environment, dryRun: false })
  await forgetPhones(sought)
  await endErasure(sought.hash, sought.owner)
  const report = reportOf(gone, sought, { stops: kept, letters: dropped, recordFiles, unexported, erased: true })
  const done = { ...report, left: leftIn(left, sought) }
  output.show(done, () => eraseText(done))
  return done.left.length > 0 || done.dead_letters_unseen > 0 ? 1 : 0
}
