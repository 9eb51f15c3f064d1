import type { Advice } from './adapter.ts'
import type { ToolUse } from './tool-use.ts'
import type { OfferedTool, ToolName } from './tools.ts'

/** The task that an assistant cannot do without a tool. */
const LACKS: Readonly<Record<ToolName, string>> = {
  do_not_call: 'report at once that a person does not want to be called again',
  note: 'report what the person tells about themselves',
  find_slots: 'find free appointments',
  book_slot: 'book an appointment',
  report_outcome: 'report how a call ended',
}

/** A tool's definition as text, to paste. */
export const pastedTool = (tool: OfferedTool, { define }: ToolUse): string => JSON.stringify(define(tool), null, 2)

/** A tool that an assistant has. With a URL of somebody else, it is none of ours. */
export interface PresentTool {
  readonly name: string | null
  readonly url?: string | null
}

/** Advice about the tools that an assistant lacks. `how`: a sentence that says how to add one. */
export const missingTools = (
  tools: readonly OfferedTool[],
  present: readonly PresentTool[],
  use: ToolUse,
  how: string,
): readonly Advice[] =>
  tools
    .filter((tool) => !present.some(({ name, url = tool.url }) => name === tool.name && url === tool.url))
    .map((tool) => ({
      problem: `The assistant cannot ${LACKS[tool.name]}: it has no tool ${tool.name}. ${how}`,
      paste: pastedTool(tool, use),
    }))
