import { leadTypesOf } from '#shared/accounts/lead-type-store.ts'
import { knownUser } from '#shared/accounts/user-store.ts'
import { callingPolicy } from '#shared/calling/calling-policy.ts'
import { phoneInputs } from '#shared/calling/gate-inputs.ts'
import { dateToAsk } from '#shared/calling/rules/gates/reassigned.ts'
import type { Lead } from '#shared/leads/lead.ts'
import { pageOfCallable } from '#shared/lists/list-by-change.ts'
import { now } from '#shared/platform/clock.ts'
import { parsePhonePk } from '#shared/platform/keys.ts'
import { inLanes } from '#shared/platform/lanes.ts'
import type { Cursor } from '#shared/platform/values/cursor.ts'
import { dayOf } from '#shared/platform/values/day.ts'
import { DAY } from '#shared/platform/values/durations.ts'
import { getPhone, phonePk } from '#shared/stops/phone-store.ts'
import { usersToAsk } from '../person/sought.ts'
import { ALL_PARTS } from '../registry/read-files.ts'
import { RecordFiles } from '../registry/record-files.ts'

/** A question to the reassigned numbers database. */
export interface Question {
  /** In E.164. */
  readonly phoneNumber: string
  /** As YYYY-MM-DD. */
  readonly date: string
}

/** A record: six bytes with the number, and four with the day, which may be long ago. */
const NUMBER_BYTES = 6
const RECORD_BYTES = NUMBER_BYTES + 4

/** Leads that are read at once, and of these in parallel. */
const PAGE = 200
const LANES = 20

/** The leads of a user, a page at a time, whose lead types check numbers, and that have a call planned or wait for an answer. */
async function* checkedLeads(owner: number) {
  for (const leadType of await leadTypesOf(owner)) {
    if (leadType.reassigned_numbers === null) continue
    let cursor: Cursor | undefined
    for (let isMore = true; isMore; ) {
      // In this order, a lead that changes meanwhile comes once more, and none is left out.
      const { leads, next } = await pageOfCallable(leadType, PAGE, { ordering: 'modified_time', cursor })
      yield { leadType, leads: leads.filter(({ call_dnc, due_list }) => !call_dnc && due_list !== null) }
      isMore = next !== undefined && next !== 'first'
      cursor = next === 'first' ? undefined : next
    }
  }
}

const addQuestion = (records: RecordFiles, { phone_number }: Lead, date: string): void => {
  const number = Number(phone_number.slice(1))
  records.add(number % ALL_PARTS.length, (record) => {
    record.writeUIntBE(number, 0, NUMBER_BYTES)
    record.writeInt32BE(Date.parse(date) / DAY, NUMBER_BYTES)
  })
}

const questionIn = (record: Buffer): Question => ({
  phoneNumber: `+${record.readUIntBE(0, NUMBER_BYTES)}`,
  date: dayOf(record.readInt32BE(NUMBER_BYTES) * DAY),
})

/**
 * The questions whose answers the leads of a user, or of all users, need now. Each question comes once. Memory holds a small part of them.
 * @param folder for temporary files
 */
export async function* openQuestions(owner: number | undefined, folder: string): AsyncGenerator<Question> {
  const records = new RecordFiles(folder, RECORD_BYTES)
  for (const user of await usersToAsk(owner)) {
    const known = await knownUser(user)
    const { dnc_group } = known
    const policy = await callingPolicy(known)
    for await (const { leadType, leads } of checkedLeads(user)) {
      await inLanes(LANES, leads, async (lead) => {
        const inputs = { lead, leadType, policy, now: now() }
        const pk = await phonePk(dnc_group, lead.phone_number)
        const phone = await getPhone(pk)
        const date = dateToAsk({ ...inputs, phone, ...(await phoneInputs(inputs, parsePhonePk(pk).hash)) })
        if (date !== undefined) addQuestion(records, lead, date)
      })
    }
  }
  records.close()
  for (const part of ALL_PARTS) {
    const unique = new Map([...records.records(part)].map((record) => [record.toString('hex'), record]))
    for (const record of unique.values()) yield questionIn(record)
  }
}
