import { definitionOf, type OfferedTool, type ToolName } from '#shared/agents/platforms/tools.ts'

export const TOOLS_URL = 'https://leads.example.com/api/agents/platforms/voice/tools/'
export const TOOL_TOKEN = 'Bearer lot_1'

/** Tools of an agent whose platform calls each at its own URL. */
export const offeredTools = (...names: readonly ToolName[]): OfferedTool[] =>
  names.map((name) => ({ name, ...definitionOf(name), url: `${TOOLS_URL}${name}/`, authorization: TOOL_TOKEN }))
