import { useEffect, useState } from 'preact/hooks'
import { MINUTE } from '#shared/platform/values/durations.ts'
import type { CallingTimes, ScheduledCall } from '../../client/operations.ts'
import { useConfirmed } from '../hooks/use-confirmed.ts'
import { usePresentFailure } from '../hooks/use-present-failure.ts'
import { sentenceInWords } from '../parts/api-sentence.ts'
import { BothTimes } from '../parts/both-times.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { FailureNote } from '../parts/failure-note.tsx'
import { Field } from '../parts/field.tsx'
import { errorsOfField } from '../parts/form-failure.tsx'
import { QuotedText } from '../parts/quoted-text.tsx'
import { serviceTime } from '../service-clock.ts'
import { texts } from '../texts.ts'
import { clockIn, instantOf, LAST_CLOCK, ownZone, shownZone, timeIn } from '../times.ts'
import { adviceOn } from './verdict.ts'

const { actions } = texts

const Answer = ({ answer, zones }: { readonly answer: ScheduledCall; readonly zones: readonly string[] }) => (
  <div class={answer.scheduled ? 'note' : 'note failure'} role={answer.scheduled ? undefined : 'alert'}>
    <p>
      <QuotedText text={sentenceInWords(answer.detail, zones[0])} />
    </p>
    {answer.next_call_time !== null && (
      <p>
        {texts.lead.labels.nextCall}: <BothTimes at={answer.next_call_time} zones={zones} />
      </p>
    )}
  </div>
)

/** A time that was chosen elsewhere. A new object for each choice, also of the same time. */
export interface Wish {
  readonly time: number
}

/** Milliseconds. A call within this time is confirmed: there may be no time left to take it back. */
const SOON = 15 * MINUTE

/** The service refuses a time that has passed. */
const isSoon = (at: number): boolean => at >= serviceTime() && at < serviceTime() + SOON

/** Sends the time of the next call, and keeps what the service answers. Null: as soon as possible. */
const useScheduling = (id: number, zone: string, onDone: () => void) => {
  const [answer, setAnswer] = useState<ScheduledCall>()
  const action = useConfirmed(
    (client, at: number | null) =>
      client.request('POST /api/leads/{id}/schedule-call/', {
        path: { id },
        body: { call_time: at === null ? null : new Date(at).toISOString() },
      }),
    ({ data }, { isLeft, tell }) => {
      setAnswer(data)
      const detail = sentenceInWords(data.detail, zone)
      if (data.scheduled) tell(detail)
      else if (isLeft) tell(detail)
      onDone()
    },
  )
  return { action, answer }
}

/** What stands in the field for the time. A chosen time moves the focus there once, not again when the form was away and comes back. */
const useClock = (zone: string, wish: Wish | undefined) => {
  const [clock, setClock] = useState('')

  // By the clock of another zone, the same text would be another time.
  useEffect(() => setClock(''), [zone])
  useEffect(() => {
    if (wish === undefined) return
    setClock(clockIn(zone, wish.time))
    document.getElementById('call-time')?.focus()
  }, [wish])
  return { clock, setClock }
}

interface ScheduleFormProps {
  /** The zone by whose clock the time is meant. */
  readonly zone: string
  readonly field: ReturnType<typeof useClock>
  /** Why the service refused the time. */
  readonly refused: readonly string[]
  readonly action: ReturnType<typeof useScheduling>['action']
}

const ScheduleForm = ({ zone, field: { clock, setClock }, refused, action: { isBusy, run, ask } }: ScheduleFormProps) => {
  const [isMissing, setMissing] = useState(false)

  const submit = (event: Event): void => {
    event.preventDefault()
    const at = instantOf(clock, zone)
    setMissing(Number.isNaN(at))
    if (Number.isNaN(at)) return
    if (isSoon(at)) ask(at)
    else void run(at)
  }

  return (
    <form onSubmit={submit} noValidate>
      <Field
        id="call-time"
        label={actions.scheduleAt(zone)}
        hint={actions.scheduleHint}
        errors={isMissing && Number.isNaN(instantOf(clock, zone)) ? [actions.scheduleMissing] : refused}
      >
        {(attributes) => (
          <input
            {...attributes}
            type="datetime-local"
            max={LAST_CLOCK}
            value={clock}
            onInput={({ currentTarget }) => setClock(currentTarget.value)}
          />
        )}
      </Field>
      <div class="buttons">
        <button type="submit" class="main" aria-disabled={isBusy}>
          {actions.submit}
        </button>
        <button type="button" aria-disabled={isBusy} onClick={() => ask(null)}>
          {actions.soon}
        </button>
      </div>
    </form>
  )
}

/** Why the service would refuse every time, and what to do about it. */
const Blocked = ({ by, zone }: { readonly by: NonNullable<CallingTimes['blocked_by']>; readonly zone: string }) => (
  <>
    <p>{actions.blocked}</p>
    <p>
      {texts.gates[by.gate].name}: <QuotedText text={sentenceInWords(by.detail, zone)} />
    </p>
    <p>{adviceOn(by)}</p>
  </>
)

interface ScheduleProps {
  readonly id: number
  readonly times: CallingTimes
  readonly wish: Wish | undefined
  readonly onDone: () => void
}

/** The question before a call that comes soon. */
const questionOf = (at: number | null, zone: string) =>
  at === null
    ? { question: actions.soonQuestion, about: actions.soonAbout, verb: actions.soon }
    : { question: actions.scheduleQuestion(timeIn(zone, at)), about: actions.scheduleAbout, verb: actions.submit }

/**
 * Chooses the time of the next call, by the clock of the lead. A call that comes soon is confirmed, because nobody can undo it. Offers nothing
 * while the service would refuse every time.
 */
export const Schedule = ({ id, times: { timezones: zones, blocked_by: blocked }, wish, onDone }: ScheduleProps) => {
  const zone = shownZone(zones[0] ?? ownZone())
  const { action, answer } = useScheduling(id, zone, onDone)
  const { asked, failure } = action
  const isAsking = asked !== undefined
  const field = useClock(zone, wish)
  const present = usePresentFailure(failure, { call_time: field.clock })
  const refused = errorsOfField(present, 'call_time').map((error) => sentenceInWords(error, zone))
  return (
    <section aria-labelledby="schedule">
      <h2 id="schedule">{actions.schedule}</h2>
      {blocked ? <Blocked by={blocked} zone={zone} /> : <ScheduleForm zone={zone} field={field} refused={refused} action={action} />}
      {refused.length === 0 && !isAsking && <FailureNote failure={present} />}
      {answer && failure === undefined && <Answer answer={answer} zones={zones} />}
      {isAsking && <Confirm {...questionOf(asked, zone)} of={action} />}
    </section>
  )
}
