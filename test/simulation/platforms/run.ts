import * as v from 'valibot'
import { eventsOf, StreamRecord } from '#shared/events/changes.ts'
import { readRecords } from '../races/history.ts'
import { PLAYED } from './all-platforms.ts'
import { startCallWorld } from './call-world.ts'
import { faultsOfPlayed } from './findings.ts'
import { costLines, endLines } from './lines.ts'
import { COURSES, callPlayer, type PlayedCall } from './play-calls.ts'
import type { PlayedPlatform } from './played-platform.ts'

export interface PlatformsPlan {
  /** Names of platforms; all by default. */
  readonly platforms: readonly string[]
  /** Most ends of each platform. Fewer than there are: a selection of all kinds. */
  readonly ends: number
  /** Platforms whose other courses are played too. */
  readonly courses: readonly string[]
}

interface Report {
  readonly faults: readonly string[]
  readonly lines: readonly string[]
}

/** Ends from all over the list, of which the typical one is the first. */
const selected = ({ ends, typical }: PlayedPlatform, most: number): string[] => {
  const pitch = Math.max(1, Math.ceil(ends.length / most))
  return [...new Set([typical, ...ends.filter((_, index) => index % pitch === 0)])]
}

/** The webhook events of each lead, in the order of the changes. */
const readEvents = async (tableUrl: string): Promise<(lead: number) => readonly string[]> => {
  const records = await readRecords(tableUrl)
  const happened = records.flatMap((record) => eventsOf(v.parse(StreamRecord, record)))
  const byLead = Map.groupBy(happened, ({ lead_id }) => lead_id)
  return (lead) => (byLead.get(lead) ?? []).map(({ trigger }) => trigger)
}

/** Plays every end of every platform through the real handlers. */
export const runPlatforms = async ({ platforms, ends, courses }: PlatformsPlan, progress: (line: string) => void): Promise<Report> => {
  const world = await startCallWorld()
  try {
    const play = callPlayer(world)
    const all: PlayedCall[] = []
    for (const platform of PLAYED.filter(({ name }) => platforms.includes(name))) {
      for (const end of selected(platform, ends)) all.push(await play(platform, end, 'callbacks'))
      for (const course of courses.includes(platform.name) ? COURSES.filter((one) => one !== 'callbacks') : []) {
        all.push(await play(platform, platform.typical, course))
      }
      progress(`${platform.name}: ${all.filter((one) => one.platform === platform.name).length} calls`)
    }
    const events = await readEvents(world.tableUrl)
    const typical = (name: string) => PLAYED.find((platform) => platform.name === name)?.typical
    return { faults: faultsOfPlayed(all), lines: [...endLines(all, events), ...costLines(all, typical)] }
  } finally {
    await world.stop()
  }
}
