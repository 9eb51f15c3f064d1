import type { Advice } from './adapter.ts'
import type { OfferedTool, ToolName } from './tools.ts'

/** The task that an assistant cannot do without a tool. */
const LACKS: Readonly<Record<ToolName, string>> = {
  do_not_call: 'report at once that a person does not want to be called again',
  note: 'report what the person tells about themselves',
  find_slots: 'find free appointments',
  book_slot: 'book an appointment',
  report_outcome: 'report how a call ended',
}

/** A tool that an assistant has. A tool whose URL is not ours does not count. */
export interface PresentTool {
  readonly name: string | null
  readonly url?: string | null
}

/**
 * Advice about the tools that an assistant lacks. It leaves their definitions out: they may hold a token, and checks are printed to logs.
 * @param how a sentence that says how to add one
 */
export const missingTools = (tools: readonly OfferedTool[], present: readonly PresentTool[], how: string): readonly Advice[] =>
  tools
    .filter((tool) => !present.some(({ name, url = tool.url }) => name === tool.name && url === tool.url))
    .map(({ name }) => ({ problem: `The assistant cannot ${LACKS[name]}: it has no tool ${name}. ${how}`, tool: name }))
