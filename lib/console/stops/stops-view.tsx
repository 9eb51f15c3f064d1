import { Heading } from '../parts/heading.tsx'
import { texts } from '../texts.ts'
import { NumberLookUp } from './number-look-up.tsx'
import { Pause } from './pause.tsx'

/** Stops the calls to one number, or all calls. */
export const StopsView = () => (
  <>
    <Heading text={texts.stops.title} />
    <div class="columns">
      <div>
        <NumberLookUp />
      </div>
      <div>
        <Pause />
      </div>
    </div>
  </>
)
