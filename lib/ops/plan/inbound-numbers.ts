import { getInboundNumber } from '#shared/agents/inbound-number-store.ts'
import { pooled } from '../pooled.ts'
import type { PlannedType } from './lead-types.ts'
import type { Planning } from './planning.ts'

const WIDTH = 20

/** Reports numbers that already belong to another lead type, in the file or in the table. */
export const checkInboundNumbers = async ({ mistakes, state }: Planning, types: readonly PlannedType[]): Promise<void> => {
  const taken = new Map<string, string>()
  const givenUp = new Set(
    types.flatMap(({ before, after }) => before?.inbound_numbers.filter((number) => !after.inbound_numbers.includes(number)) ?? []),
  )
  const added = types.flatMap(({ path, name, before, after }) =>
    after.inbound_numbers.flatMap((number, at) => {
      const other = taken.get(number)
      taken.set(number, name)
      const where = [...path, 'inbound_numbers', at]
      if (other !== undefined) mistakes.add(where, `${number} is a number of ${other}: a number is of one lead type.`)
      return other !== undefined || before?.inbound_numbers.includes(number) ? [] : [{ number, where }]
    }),
  )
  await pooled(added, WIDTH, async ({ number, where }) => {
    const holder = givenUp.has(number) ? undefined : await getInboundNumber(number)
    if (!holder) return
    const name = `${state.keyOf('USER', holder.owner) ?? holder.owner}/${state.keyOf('LEADTYPE', holder.lead_type) ?? holder.lead_type}`
    mistakes.add(where, `${number} is a number of ${name}: a number is of one lead type.`)
  })
}
