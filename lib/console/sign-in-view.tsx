import { useState } from 'preact/hooks'
import { Banner } from './parts/banner.tsx'
import { Field } from './parts/field.tsx'
import { Heading } from './parts/heading.tsx'
import { session, signIn } from './session.ts'
import { useStore } from './store.ts'
import { texts } from './texts.ts'

/**
 * Browsers ignore `autocomplete=off` in a field for a password, and offer to keep what it holds. So the key has a field for a text, and the
 * style hides its characters where the browser can. The other attributes are those that password managers obey.
 */
const SECRET = {
  ...(CSS.supports('-webkit-text-security', 'disc')
    ? ({ type: 'text', autocomplete: 'off' } as const)
    : ({ type: 'password', autocomplete: 'new-password' } as const)),
  'data-1p-ignore': 'true',
  'data-bwignore': 'true',
  'data-lpignore': 'true',
  'data-form-type': 'other',
}

/** Asks for the API key, and says why it is needed now. */
export const SignInView = () => {
  const { state, reason } = useStore(session)
  const [key, setKey] = useState('')
  const [isMissing, setMissing] = useState(false)
  const isChecking = state === 'checking'

  const submit = (event: Event): void => {
    event.preventDefault()
    const given = key.trim()
    setMissing(given === '')
    if (given === '' || isChecking) return
    void signIn(given)
  }

  return (
    <main class="sign-in">
      <p class="product">{texts.product}</p>
      <Heading text={texts.signIn.title} />
      <Banner />
      <div role="alert">{reason !== '' && <p class="note">{reason}</p>}</div>
      <p>{texts.signIn.about}</p>
      <form onSubmit={submit} noValidate>
        <Field
          id="api-key"
          label={texts.signIn.key}
          hint={texts.signIn.hint}
          errors={isMissing && key.trim() === '' ? [texts.signIn.missing] : []}
        >
          {(attributes) => (
            <input
              {...attributes}
              {...SECRET}
              class="secret"
              autocapitalize="off"
              spellcheck={false}
              value={key}
              onInput={(event) => setKey(event.currentTarget.value)}
            />
          )}
        </Field>
        <button type="submit" class="main" aria-disabled={isChecking}>
          {isChecking ? texts.signIn.checking : texts.signIn.submit}
        </button>
      </form>
    </main>
  )
}
