import { useEffect, useState } from 'preact/hooks'

/** The value, once it has stayed the same for some milliseconds. */
export const useDebounced = <T>(value: T, milliseconds: number): T => {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(() => value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return debounced
}
