import { useRef } from 'preact/hooks'

/** The `Idempotency-Key` for a body. It stays while the body stays, so that a form that is sent again creates nothing twice. */
export const useRepeatKey = (): ((body: unknown) => string) => {
  const attempt = useRef({ text: '', key: '' })
  return (body) => {
    const text = JSON.stringify(body)
    if (attempt.current.text !== text) attempt.current = { text, key: crypto.randomUUID() }
    return attempt.current.key
  }
}
