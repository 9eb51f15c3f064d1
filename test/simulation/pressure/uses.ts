import { ProvisionedThroughputExceededException } from '@aws-sdk/client-dynamodb'
import * as v from 'valibot'
import type { client as tableClient } from '#shared/platform/table/client.ts'
import { unitsIn } from '#shared/platform/table/consumed-units.ts'

export const KINDS = ['calls', 'reports', 'file', 'bulk', 'webhooks'] as const
export type Kind = (typeof KINDS)[number]

/** How one kind of work used the table. */
export interface Use {
  /** Write units of the requests that the table took. */
  units: number
  /** Tries that the table refused. Each retry counts. */
  tries: number
  /** Requests that the table refused at every try: the service threw TableBusyError. */
  refused: number
  /** New leads. */
  leads: number
}

const texts = <const S extends v.GenericSchema>(schema: S) => v.object({ S: schema })

/** As the protocol writes it. */
const NewLead = v.object({
  Put: v.object({
    Item: v.object({ sk: texts(v.literal('LEAD')), version: v.object({ N: v.literal('1') }), phone_number: texts(v.string()) }),
  }),
})
const Transaction = v.object({ TransactItems: v.array(v.unknown()) })

/** The phones of the leads that a request creates. */
const newLeadsIn = (name: string, input: object): string[] => {
  if (name !== 'TransactWriteItemsCommand') return []
  return v.parse(Transaction, input).TransactItems.flatMap((item) => (v.is(NewLead, item) ? [item.Put.Item.phone_number.S] : []))
}

/** Counts what each kind of work does at the table. */
export const countUses = () => {
  const fresh = (): Use => ({ units: 0, tries: 0, refused: 0, leads: 0 })
  const uses: Record<Kind, Use> = { calls: fresh(), reports: fresh(), file: fresh(), bulk: fresh(), webhooks: fresh() }
  /** How often each lead was created, by its phone. */
  const created = new Map<string, number>()
  return {
    uses,
    created,
    /** Sets all counts to zero. */
    begin: (): void => {
      for (const kind of KINDS) Object.assign(uses[kind], fresh())
    },
    /** Call it before the client is limited: then each throttled try passes here. */
    watch: (client: typeof tableClient, kindOf: () => Kind): void => {
      client.middlewareStack.add(
        (next) => async (args) => {
          try {
            return await next(args)
          } catch (error) {
            if (error instanceof ProvisionedThroughputExceededException) uses[kindOf()].refused++
            throw error
          }
        },
        { step: 'initialize', priority: 'high', name: 'refusedCounter' },
      )
      client.middlewareStack.add(
        (next, context) => async (args) => {
          const [use, name] = [uses[kindOf()], `${context['commandName']}`]
          try {
            const result = await next(args)
            const phones = newLeadsIn(name, args.input)
            use.units += unitsIn(name, result.output).write
            use.leads += phones.length
            for (const phone of phones) created.set(phone, (created.get(phone) ?? 0) + 1)
            return result
          } catch (error) {
            if (error instanceof Error && error.name === 'ProvisionedThroughputExceededException') use.tries++
            throw error
          }
        },
        { step: 'finalizeRequest', priority: 'low', name: 'triesCounter' },
      )
    },
  }
}
