import { quoted } from '../../command-line/quoted.ts'
import { counted } from '../output.ts'
import { type Target, targetOptions } from '../target.ts'
import type { Finding, Findings } from './confirm.ts'

const commandOf = (words: readonly string[], target: Target): string =>
  ['npm run ops --', ...[...words, ...targetOptions(target)].map(quoted)].join(' ')

export interface ReportedFinding extends Finding {
  /** The command that repairs it; null when there is none. */
  readonly command: string | null
}

export const withCommands = (findings: readonly Finding[], target: Target): ReportedFinding[] =>
  findings.map((finding) => ({
    ...finding,
    command: finding.isRepairable ? commandOf(['repair', finding.kind, finding.where], target) : null,
  }))

export const findingsText = (findings: readonly ReportedFinding[], more: Findings['more'], target: Target): string => {
  if (findings.length === 0) return 'Nothing is wrong: '
  const blocks = findings.map(({ kind, message, command }) => `${kind}: ${message}\n  ${command ?? 'No command can repair it.'}\n\n`)
  const kinds = new Set(findings.map(({ kind }) => kind)).size
  const unlisted = Object.entries(more).map(([kind, count]) => `${kind}: ${counted(count, 'more finding')}, not listed here.\n\n`)
  const all = findings.length + Object.values(more).reduce((sum, count) => sum + count, 0)
  const counts = `${counted(all, 'finding')} of ${counted(kinds, 'kind')}.`
  const repairAll = findings.some(({ command }) => command !== null) ? ` To repair all: ${commandOf(['repair', '--all'], target)}` : ''
  return `${blocks.join('')}${unlisted.join('')}${counts}${repairAll}\n`
}
