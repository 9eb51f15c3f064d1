import { callLimits } from './limits/calls.ts'
import { fileLimits } from './limits/files.ts'
import { keptLimits, localLimits } from './limits/kept.ts'
import { leadLimits, requestLimits } from './limits/requests.ts'
import { webhookLimits } from './limits/webhooks.ts'
import { markdownPage, markdownTable } from './markdown.ts'

const SECTIONS = [requestLimits, leadLimits, webhookLimits, fileLimits, callLimits, keptLimits, localLimits]

/** Every limit that clients, agents and operators can meet, from where the code keeps it. */
export const limitsPage = (): string =>
  markdownPage(
    '# Limits',
    `What can be set is named with its setting, which [configuration.md](configuration.md) explains; everything else is fixed. AWS has limits
of its own for an account, above all of functions that run at one moment.`,
    ...SECTIONS.flatMap(({ heading, limits }) => [`## ${heading}`, markdownTable(['What', 'Limit', 'Beyond it'], limits)]),
  )
