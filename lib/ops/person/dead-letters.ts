import { dropLetter, type Letter, putLetterBack, takeLetters } from '#shared/adapters/queue-letters.ts'
import { GIVEN_UP, queuesOf } from '../queues.ts'
import type { Surroundings } from '../surroundings.ts'

/** Of dead letters, those with data of leads in them: the others hold ids alone. */
const TELLING = ['events', GIVEN_UP]

/** Seconds for which letters are hidden while they are looked through. */
const LOOKED_THROUGH = 300

/**
 * Deletes those dead letters that hold data of leads and are `about` somebody; the others are shown again at once.
 * @returns how many
 */
export const dropDeadLetters = async (
  about: (body: string) => boolean,
  { environment, dryRun }: { readonly environment: Surroundings['environment']; readonly dryRun: boolean },
): Promise<number> => {
  let dropped = 0
  for (const { deadLettersUrl } of queuesOf(environment).filter(({ name }) => TELLING.includes(name))) {
    const kept = new Map<string, Letter>()
    for (;;) {
      const letters = await takeLetters(deadLettersUrl, LOOKED_THROUGH)
      const isNew = letters.some(({ id }) => !kept.has(id))
      for (const letter of letters) {
        const isAbout = about(letter.body)
        if (isAbout) dropped++
        if (isAbout && !dryRun) await dropLetter(deadLettersUrl, letter)
        else kept.set(letter.id, letter)
      }
      if (!isNew) break
    }
    for (const letter of kept.values()) await putLetterBack(deadLettersUrl, letter)
  }
  return dropped
}
