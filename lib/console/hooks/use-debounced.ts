import { useEffect, useState } from 'preact/hooks'

/** The value, once it has stayed the same for some milliseconds. */
export const useDebounced = <T>(value: T, milliseconds: number): T => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return settled
}
