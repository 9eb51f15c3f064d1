import type { CommandLine } from '#lib/command-line/command-line.ts'
import { numberOr, readFlags, someOf } from '../flags.ts'
import { PLAYED } from './all-platforms.ts'
import type { PlatformsPlan } from './run.ts'

export const USAGE = `Plays every end of a call that each voice platform has, with the real handlers and an emulator of the platform. Prints what becomes of the
call and its lead, and what a call costs in requests and in units of the table. Ends with 1 when an end has no outcome of ours, or when a
lead's status does not follow from it.

  npm run simulate -- platforms [--platform NAME] [--ends 1000]

  --platform NAME  only this one; may be repeated
  --ends N         at most so many ends of each platform
  --help           print this
`

const NAMES = PLAYED.map(({ name }) => name)

const FLAGS = { platform: someOf(NAMES), ends: numberOr(1000, [1, 1000]) }

export const readCommandLine = (args: readonly string[]): CommandLine<PlatformsPlan> => {
  const read = readFlags(args, FLAGS)
  if (read.kind !== 'run') return read
  const { platform, ends } = read.options
  return { kind: 'run', options: { platforms: platform, ends, courses: platform } }
}
