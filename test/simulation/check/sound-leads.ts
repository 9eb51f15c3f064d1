import { sampleLead } from '#test/support/samples.ts'

const CHUNK = 2000

interface SoundLeads {
  readonly owner: number
  readonly firstId: number
  readonly leads: number
  readonly progress: (written: number) => void
}

/**
 * Writes leads directly into the environment's table, with all that a check pairs with them: a person, an email, an external id and a
 * position. None of them is due.
 */
export const putSoundLeads = async ({ owner, firstId, leads, progress }: SoundLeads): Promise<void> => {
  const [{ updateItem }, { batchPut }, keys, { leadItem }] = await Promise.all([
    import('#shared/platform/table/table.ts'),
    import('#shared/platform/table/batches.ts'),
    import('#shared/platform/keys.ts'),
    import('#shared/leads/lead-store.ts'),
  ])
  const itemsOf = (id: number) => {
    const phone_number = `+1${2_000_000_000 + id}`
    const lead = sampleLead({
      ...{ id, owner, position: id - firstId + 1, phone_number, email: `person.${id}@example.com`, external_id: `crm-${id}` },
      ...{ status: 'CLOSED', next_call_time: null, next_call_time_reason: null, due_list: null },
    })
    return [
      leadItem(lead),
      { ...keys.personKey(owner, phone_number), owner, phone_number, leads: [{ id, email: lead.email }], version: 1 },
      { ...keys.emailPointerKey(owner, `${lead.email}`, id) },
      { ...keys.externalIdPointerKey(owner, `crm-${id}`, id) },
    ]
  }
  for (let start = 0; start < leads; start += CHUNK) {
    const ids = Array.from({ length: Math.min(CHUNK, leads - start) }, (_, index) => firstId + start + index)
    await batchPut(ids.flatMap(itemsOf))
    progress(start + ids.length)
  }
  const counter = { UpdateExpression: 'SET #last = :last', ExpressionAttributeNames: { '#last': 'last' } }
  await updateItem(keys.positionsKey(owner), { ...counter, ExpressionAttributeValues: { ':last': leads } })
}
