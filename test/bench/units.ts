import { handler as bulkCreate } from '#functions/leads/bulk-create.ts'
import { handler as create } from '#functions/leads/create.ts'
import { type Units, unitsOf } from '#test/support/units.ts'
import { request, startWorld } from '#test/support/world.ts'

interface Spec {
  readonly phone_number: string
}

const each = ({ read, write }: Units, count: number): Units => ({ read: read / count, write: write / count })

/** The same lead with a phone in another area code, so that both ways write the same. */
const inAreaCode = <T extends Spec>(lead: T, areaCode: number): T => ({
  ...lead,
  phone_number: `+1${areaCode}${lead.phone_number.slice(5)}`,
})

/**
 * Read and write units per lead, as the engine counts them: for single creates, and for one bulk create of the same leads with other
 * phones.
 * @throws Error when a lead is refused
 */
export const perItemUnits = async (leads: readonly Spec[]): Promise<{ single: Units; bulk: Units }> => {
  const world = await startWorld()
  try {
    const createOne = async (lead: Spec): Promise<void> => {
      const { status } = await request(create, { method: 'POST', path: '/api/leads/', body: lead })
      if (status !== 201) throw new Error(`A create was answered with ${status}.`)
    }
    // Caches the key, the user and the lead type first: their rare reads are no cost of a lead.
    await createOne(inAreaCode(leads[0]!, 617))
    const single = await unitsOf(async () => {
      for (const lead of leads) await createOne(lead)
    })
    const bulk = await unitsOf(async () => {
      const body = { leads: leads.map((lead) => inAreaCode(lead, 718)) }
      const { status, body: answer } = await request(bulkCreate, { method: 'POST', path: '/api/leads/bulk-create/', body })
      const made = answer.results.filter(({ action }: { action: string }) => action === 'created').length
      if (status !== 200 || made !== leads.length) throw new Error(`Of ${leads.length} leads ${made} were created.`)
    })
    return { single: each(single, leads.length), bulk: each(bulk, leads.length) }
  } finally {
    await world.stop()
  }
}
