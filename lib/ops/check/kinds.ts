import type { DamageKind } from './kind.ts'
import { calls } from './kinds/calls.ts'
import { changes } from './kinds/changes.ts'
import { formerNumbers } from './kinds/former-numbers.ts'
import { holeCounts } from './kinds/hole-counts.ts'
import { leads } from './kinds/leads.ts'
import { owners } from './kinds/owners.ts'
import { persons } from './kinds/persons.ts'
import { placements } from './kinds/placements.ts'
import { pointers } from './kinds/pointers.ts'
import { positions } from './kinds/positions.ts'
import { uncalled } from './kinds/uncalled.ts'
import { unreadable } from './kinds/unreadable.ts'

/** The order of reports and repairs. Lists, persons and pointers come first: other items are found through them. */
export const KINDS: readonly DamageKind[] = [
  ...positions,
  holeCounts,
  ...persons,
  ...pointers,
  formerNumbers,
  ...calls,
  ...leads,
  ...uncalled,
  changes,
  ...placements,
  ...owners,
  unreadable,
]
