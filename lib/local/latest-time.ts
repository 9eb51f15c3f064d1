import { readFileSync, writeFileSync } from 'node:fs'

const SAVE_EVERY_MS = 1000

/** Epoch milliseconds; undefined when the file is missing or unreadable. */
const readTime = (file: string): number | undefined => {
  try {
    return Date.parse(readFileSync(file, 'utf8')) || undefined
  } catch {
    return undefined
  }
}

const isoOf = (at: number): string => new Date(at).toISOString()

/**
 * Stores the latest time that the service's clock has reached, in all starts.
 * @returns a warning when the clock now begins before that time
 */
export const keepLatestTime = (file: string, now: () => number): { readonly warning: string | undefined; stop(): void } => {
  const [begin, latest = 0] = [now(), readTime(file)]
  const save = (): void => {
    try {
      if (now() > latest) writeFileSync(file, isoOf(now()), { mode: 0o600 })
    } catch {
      // Only a warning depends on it.
    }
  }
  save()
  const timer = setInterval(save, SAVE_EVERY_MS).unref()
  const warning =
    begin < latest
      ? `WARNING: An earlier start on this data ran until ${isoOf(latest)}. Now the clock begins at ${isoOf(begin)}, so stored times may be in the future. Until the clock reaches them, uploads and calls that were in progress may stand still. Start with --now ${isoOf(latest)} or later, or with other data (--data or --memory).`
      : undefined
  return {
    warning,
    stop: () => {
      clearInterval(timer)
      save()
    },
  }
}
