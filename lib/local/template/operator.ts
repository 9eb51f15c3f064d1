import { variableOf } from '../../operator-outputs.ts'
import type { Stack } from './assembly.ts'
import type { Resolver } from './resolve.ts'
import { parseAt, text } from './site.ts'

/** The stack outputs for the operator's tool, by the names of the functions' variables. */
export const readOperator = (stacks: readonly Stack[], { resolve }: Resolver): Readonly<Record<string, string>> =>
  Object.fromEntries(
    stacks.flatMap((stack) =>
      Object.entries(stack.template.Outputs).flatMap(([logicalId, { Value }]) => {
        const variable = variableOf(logicalId)
        const at = { stack, logicalId }
        return variable === undefined ? [] : [[variable, parseAt(text, resolve(Value, at), at, 'Value')] as const]
      }),
    ),
  )
