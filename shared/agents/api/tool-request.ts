import * as v from 'valibot'
import { Dictionary, fields } from '../../http/fields/field.ts'
import { charField } from '../../http/fields/text.ts'
import { NAME_LENGTH, wellFormed } from '../reported-text.ts'

const UNFILLED = /^\s*(\{\{[^{}]*\}\}\s*)?$/

/** Whether a text is blank, or a template that the platform had no value for. */
export const isUnfilled = (text: string): boolean => UNFILLED.test(text)

const Named = fields({
  call_id: charField({ maxLength: NAME_LENGTH }),
  platform_call_id: v.nullish(charField({ maxLength: NAME_LENGTH, allowBlank: true }), null),
})

/** The body of a request to a tool: the call, and the arguments of the tool beside it. */
export const ToolRequest = v.pipe(
  v.unknown(),
  v.transform((body) => wellFormed(body)),
  Dictionary,
  v.rawTransform<Record<string, unknown>, v.InferOutput<typeof Named> & { args: Record<string, unknown> }>(
    ({ dataset, addIssue, NEVER }) => {
      const named = v.safeParse(Named, dataset.value)
      if (!named.success) {
        for (const { message, path } of named.issues) addIssue({ message, path })
        return NEVER
      }
      const { call_id: _, platform_call_id: __, ...args } = dataset.value
      const { platform_call_id: id } = named.output
      return { ...named.output, platform_call_id: id === null || isUnfilled(id) ? null : id, args }
    },
  ),
)
