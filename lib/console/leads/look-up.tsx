import { useState } from 'preact/hooks'
import type { LeadPage } from '../../client/operations.ts'
import { Field } from '../parts/field.tsx'
import { focusHeading } from '../parts/heading.tsx'
import { Options } from '../parts/options.tsx'
import { open } from '../route.ts'
import { createUserStore } from '../session.ts'
import { useStore } from '../store.ts'
import { texts } from '../texts.ts'

const { leads } = texts

type Kind = keyof typeof leads.kinds

const isKind = (text: string): text is Kind => Object.hasOwn(leads.kinds, text)

interface LookedUp {
  readonly kind: Exclude<Kind, 'id'>
  readonly value: string
  readonly page: number
}

/** The look-up that the list shows instead of all leads. */
export const lookedUp = createUserStore<LookedUp | undefined>(undefined)

/** Looser than the service, which knows the numbers of each country. */
export const mayBePhone = (value: string): boolean => value.replace(/\D/g, '').length >= 7

/** Looser than the service, which knows the numbers of each country: a value that may exist is asked about. */
const FORMS: readonly { readonly kind: Kind; readonly isRight: (value: string) => boolean; readonly mistake: string }[] = [
  { kind: 'id', isRight: (value) => /^[1-9]\d{0,9}$/.test(value), mistake: leads.idWrong },
  { kind: 'phone_number', isRight: mayBePhone, mistake: leads.phoneWrong },
  { kind: 'email', isRight: (value) => /^\S+@\S+$/.test(value), mistake: leads.emailWrong },
]

const mistakeIn = (kind: Kind, value: string): string | undefined => {
  if (value === '') return leads.valueMissing
  return FORMS.find((form) => form.kind === kind && !form.isRight(value))?.mistake
}

export const LookUp = () => {
  const wanted = useStore(lookedUp)
  const [kind, setKind] = useState<Kind>(wanted?.kind ?? 'phone_number')
  const [value, setValue] = useState(wanted?.value ?? '')
  const [mistake, setMistake] = useState<string>()

  const submit = (event: Event): void => {
    event.preventDefault()
    const given = value.trim()
    const found = mistakeIn(kind, given)
    setMistake(found)
    // The result of an earlier look-up would seem to be about this value.
    if (found !== undefined) lookedUp.set(undefined)
    else if (kind === 'id') open(`leads/${given}`)
    else lookedUp.set({ kind, value: given, page: 1 })
  }

  return (
    <search>
      <form class="look-up" aria-label={leads.lookUp} onSubmit={submit} noValidate>
        <Field id="look-up-kind" label={leads.lookUpBy}>
          {(attributes) => (
            <select
              {...attributes}
              value={kind}
              onChange={({ currentTarget }) => {
                if (isKind(currentTarget.value)) setKind(currentTarget.value)
                setMistake(undefined)
              }}
            >
              <Options texts={leads.kinds} />
            </select>
          )}
        </Field>
        <Field id="look-up-value" label={leads.value} errors={mistake === undefined ? [] : [mistake]}>
          {(attributes) => (
            <input
              {...attributes}
              type="search"
              autocomplete="off"
              value={value}
              onInput={({ currentTarget }) => {
                setValue(currentTarget.value)
                setMistake(undefined)
              }}
            />
          )}
        </Field>
        <button type="submit" class="main">
          {leads.submit}
        </button>
        {wanted && (
          <button
            type="button"
            onClick={() => {
              setValue('')
              lookedUp.set(undefined)
              // The address may still have the filter from before the look-up.
              open('leads')
            }}
          >
            {leads.showAll}
          </button>
        )}
      </form>
    </search>
  )
}

/** Opens the first page of what was looked up. */
export const LookUpFirst = ({ wanted }: Pick<LookUpPagerProps, 'wanted'>) => (
  <button
    type="button"
    onClick={() => {
      focusHeading()
      lookedUp.set({ ...wanted, page: 1 })
    }}
  >
    {texts.pager.first}
  </button>
)

interface LookUpPagerProps {
  readonly page: Pick<LeadPage, 'next' | 'previous'>
  readonly wanted: LookedUp
}

/** Opens the other pages of what was looked up, which is not in the address. */
export const LookUpPager = ({ page: { next, previous }, wanted }: LookUpPagerProps) => {
  if (next === null && previous === null) return null
  const turn = (by: number) => (): void => {
    focusHeading()
    lookedUp.set({ ...wanted, page: wanted.page + by })
  }
  return (
    <nav class="pager" aria-label={texts.pager.pages}>
      {previous !== null && (
        <button type="button" onClick={turn(-1)}>
          {texts.pager.previous}
        </button>
      )}
      {next !== null && (
        <button type="button" class="next" onClick={turn(1)}>
          {texts.pager.next}
        </button>
      )}
    </nav>
  )
}
