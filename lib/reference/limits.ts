import { callLimits } from './limits/calls.ts'
import { fileLimits } from './limits/files.ts'
import { keptLimits, localLimits } from './limits/kept.ts'
import { leadLimits, requestLimits } from './limits/requests.ts'
import { webhookLimits } from './limits/webhooks.ts'
import { markdownPage, markdownTable } from './markdown.ts'

const SECTIONS = [requestLimits, leadLimits, webhookLimits, fileLimits, callLimits, keptLimits, localLimits]

/** Every limit for clients, agents and operators, taken from the code. */
export const limitsPage = (): string =>
  markdownPage(
    '# Limits',
    `If a limit can be changed, the table names its setting; [configuration.md](configuration.md) explains the settings. All other limits are
fixed. AWS has its own limits for an account, above all for functions that run at the same time.`,
    ...SECTIONS.flatMap(({ heading, limits }) => [`## ${heading}`, markdownTable(['What', 'Limit', 'Beyond it'], limits)]),
  )
