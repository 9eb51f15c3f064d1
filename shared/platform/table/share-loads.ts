/** Calls for a key that is being loaded wait for that load. */
export const shareLoads = <K, T>(load: (key: K) => Promise<T>) => {
  const running = new Map<K, Promise<T>>()
  return (key: K): Promise<T> => {
    const found = running.get(key)
    if (found) return found
    const started = load(key).finally(() => running.delete(key))
    running.set(key, started)
    return started
  }
}
